import { COMMAND_LINE, type Actor } from './actor.js';
import { RIGHTS, type Right } from './rights.js';
import { ACTIONS, RIGHT_FOR, type Action } from './roles.js';

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
   */
  constructor(
    readonly accountId: number,
    readonly clientId: number | null,
    readonly actor: Actor,
    readonly rights: readonly Right[],
    readonly canCreateForms: boolean,
    private readonly actions: readonly Action[] = ACTIONS,
  ) {}

  /** Returns the operator at the command line, who may do everything in an account. */
  static operator(accountId: number): Principal {
    return new Principal(accountId, null, COMMAND_LINE, RIGHTS, true);
  }

  /** Returns the id of the token; null for a person who signed in. */
  get tokenId(): number | null {
    return this.actor.kind === 'token' ? this.actor.id : null;
  }

  has(right: Right): boolean {
    return this.rights.includes(right);
  }

  /** Tells whether the action is allowed on the submissions in the scope. */
  may(action: Action): boolean {
    return this.has(RIGHT_FOR[action]) && this.actions.includes(action);
  }

  /** Returns the same principal with the network address of its request. */
  at(address: string): Principal {
    const { accountId, clientId, actor, rights, canCreateForms, actions } = this;
    return new Principal(
      accountId,
      clientId,
      { ...actor, address },
      rights,
      canCreateForms,
      actions,
    );
  }
}
