import { MissingRight, ForbiddenError, fact, hook } from '../../platform/index.js';
import type { Maker } from '../../platform/database/index.js';

/** The rights of tokens and of roles. A token without a list has all of them. */
export const RIGHTS = [
  'forms:read',
  'forms:write',
  'forms:create',
  'webhooks:secret',
  'clients:read',
  'clients:write',
  'submissions:read',
  'submissions:write',
  'tokens:write',
  'people:read',
  'people:write',
  'audit:read',
] as const;

export type Right = (typeof RIGHTS)[number];

/** The rights of a client's token without a list: what others check calls by is handed out by name alone. */
export const RIGHTS_OF_CLIENTS = RIGHTS.filter((right) => right !== 'webhooks:secret');

/** The roles of an account's members. */
export const ROLES = ['owner', 'editor', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

const RIGHTS_OF: Readonly<Record<Role, readonly Right[]>> = {
  owner: RIGHTS,
  editor: ['forms:read', 'forms:write', 'forms:create', 'clients:read', 'submissions:read', 'submissions:write'],
  viewer: ['forms:read', 'clients:read', 'submissions:read'],
};

/** Returns the rights of a member of this role. */
export function rightsOfRole(role: Role): readonly Right[] {
  return RIGHTS_OF[role];
}

/** The actions that people of a client are allowed on submissions; finer than the rights of tokens. */
export const ACTIONS = ['see', 'triage', 'edit', 'export', 'erase'] as const;

export type Action = (typeof ACTIONS)[number];

/** The right that each action needs. */
export const RIGHT_FOR: Readonly<Record<Action, Right>> = {
  see: 'submissions:read',
  triage: 'submissions:write',
  edit: 'submissions:write',
  export: 'submissions:read',
  erase: 'submissions:write',
};

/** Returns the rights of a person of a client with these actions; who may create forms may change what the client made. */
export function rightsOfActions(actions: readonly Action[], canCreateForms: boolean): readonly Right[] {
  const needed = new Set<Right>(actions.map((action) => RIGHT_FOR[action]));
  if (actions.includes('see')) needed.add('forms:read');
  if (canCreateForms) needed.add('forms:create').add('forms:write');
  return RIGHTS.filter((right) => needed.has(right));
}

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
export const COMMAND_LINE: Actor = { kind: 'operator', id: null, name: 'Command line', address: null };

/** The rows that a query may touch: all of an account, or only what one client sees. */
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
  get timeZone() {
    return this.reader.timeZone ?? 'UTC';
  }

  /** Names the actor in signals. */
  get by() {
    return `${this.actor.kind} ${this.actor.id ?? ''}`;
  }

  /** Tells whether the actor looks through the eyes of somebody else, and so changes nothing. */
  get isOnlyLooking() {
    return this.reader !== this.actor;
  }

  has(right: Right) {
    return this.rights.includes(right);
  }

  /** @throws MissingRight */
  assertHas(right: Right) {
    if (!this.has(right)) throw new MissingRight(right);
  }

  /** Tells whether the action is allowed on the submissions in the scope. */
  may(action: Action) {
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

/** The person's role lacks the right that the page needs. */
export class NotAllowedHere extends fact(
  ForbiddenError,
  'not_allowed_here',
  'You do not have permission to do this. Ask an owner of the account.',
) {}

/** The person's membership lacks the action that the page needs. */
export class ActionForbidden extends fact(
  ForbiddenError,
  'action_forbidden',
  (action: Action) => `You do not have permission to ${action} submissions here. Ask an owner.`,
) {}

/** A way for a person to confirm their identity. */
export type ProofWay = 'passkey' | 'password' | 'code';

/** The page needs a passkey, password or code that was shown within the last ten minutes. */
export class ProofRequired extends ForbiddenError {
  constructor(
    /** The ways this person has. */
    readonly ways: readonly ProofWay[],
  ) {
    super('proof_required', 'Confirm it’s you to continue.');
  }
}

/** The page is not for an owner who sees the pages as somebody else. */
export class OnlyLooking extends fact(
  ForbiddenError,
  'only_looking',
  'You are viewing as someone else. You cannot change anything, and their personal pages stay closed.',
) {}

/** A changing request came from another site, or does not say from where. */
export class ForeignRequest extends fact(
  ForbiddenError,
  'foreign_request',
  'This request did not come from a page of this service. Open the page again and repeat it there.',
) {}

/** Asks what the maker of work may do now; null when they may do nothing any more. */
export const MakerRights = hook<(maker: Maker<Actor['kind']>) => Promise<Principal | null>>();
