import type { Actor } from './actor.js';
import type { Right } from './rights.js';
import { ACTIONS, RIGHT_FOR, type Action } from './roles.js';

/** Whose data a query may touch: an account's, or only what one of its clients sees of it. */
export interface Scope {
  readonly accountId: number;
  /** Null: the whole account. */
  readonly clientId: number | null;
}

/** A scope, and who acts in it. */
interface Acting extends Scope {
  readonly actor: Actor;
}

/** Who sends a request, as its token or its session says. */
export class Principal implements Acting {
  /**
   * @param actions what may be done with submissions; by default all that the rights allow a token
   */
  constructor(
    readonly accountId: number,
    readonly clientId: number | null,
    readonly actor: Actor,
    readonly rights: readonly Right[],
    readonly canCreateForms: boolean,
    private readonly actions: readonly Action[] = ACTIONS,
  ) {}

  /** Null for a person who signed in. */
  get tokenId(): number | null {
    return this.actor.kind === 'token' ? this.actor.id : null;
  }

  has(right: Right): boolean {
    return this.rights.includes(right);
  }

  /** Whether this may be done with the submissions in its scope. */
  may(action: Action): boolean {
    return this.has(RIGHT_FOR[action]) && this.actions.includes(action);
  }

  /** The same principal, at this network address. */
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
