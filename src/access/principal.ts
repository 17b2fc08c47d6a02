import { MissingRight } from '../platform/kernel/credentials.errors.js';
import { RIGHTS, type Right } from './rights.js';
import { ACTIONS, RIGHT_FOR, type Action } from './roles.js';

/** The author of an action, as the audit log names them. */
export interface Actor {
  readonly kind: 'person' | 'token' | 'operator';
  /** Id of the person or the token; null for the operator at the command line. */
  readonly id: number | null;
  /** Name of the person or the token at that moment. */
  readonly name: string;
  /** Network address of the request; null at the command line. */
  readonly address: string | null;
  /** Time zone of a person, an IANA name. */
  readonly timeZone?: string;
}

/** The operator, who has a shell where the service runs. */
export const COMMAND_LINE: Actor = {
  kind: 'operator',
  id: null,
  name: 'Command line',
  address: null,
};

/** The rows that a query may touch: an account's, or those of them that one client sees. */
export interface Scope {
  readonly accountId: number;
  /** Null for the whole account. */
  readonly clientId: number | null;
}

/** Names who sends a request, as its token or session says, and what it may do. */
export class Principal implements Scope {
  /**
   * @param actions allowed on submissions, within the rights; all of them for a token
   * @param reader whose notes, read submissions and days are meant: the actor's own, but while an owner looks
   *   through the eyes of somebody else
   */
  constructor(
    readonly accountId: number,
    readonly clientId: number | null,
    readonly actor: Actor,
    readonly rights: readonly Right[],
    readonly canCreateForms: boolean,
    private readonly actions: readonly Action[] = ACTIONS,
    readonly reader: Actor = actor,
  ) {}

  /** Returns the operator at the command line, who may do everything in an account. */
  static operator(accountId: number): Principal {
    return new Principal(accountId, null, COMMAND_LINE, RIGHTS, true);
  }

  /** Returns the id of the token; null for a person who signed in. */
  get tokenId(): number | null {
    return this.actor.kind === 'token' ? this.actor.id : null;
  }

  /** Returns the time zone whose days are meant: that of a person, else UTC. */
  get timeZone(): string {
    return this.reader.timeZone ?? 'UTC';
  }

  /** Tells whether the actor looks through the eyes of somebody else, and so changes nothing. */
  get isOnlyLooking(): boolean {
    return this.reader !== this.actor;
  }

  has(right: Right): boolean {
    return this.rights.includes(right);
  }

  /** @throws MissingRight */
  assertHas(right: Right): void {
    if (!this.has(right)) throw new MissingRight(right);
  }

  /** Tells whether the action is allowed on the submissions in the scope. */
  may(action: Action): boolean {
    return this.has(RIGHT_FOR[action]) && this.actions.includes(action);
  }

  /** Returns the same principal with the network address of its request. */
  at(address: string): Principal {
    const { accountId, clientId, rights, canCreateForms, actions } = this;
    const actor = { ...this.actor, address };
    const reader = this.isOnlyLooking ? this.reader : actor;
    return new Principal(accountId, clientId, actor, rights, canCreateForms, actions, reader);
  }
}
