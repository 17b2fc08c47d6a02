import { RIGHTS, type Right } from './rights.js';

/** What a member of an account may be. */
export const ROLES = ['owner', 'editor', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

const RIGHTS_OF: Readonly<Record<Role, readonly Right[]>> = {
  owner: RIGHTS,
  editor: ['forms:read', 'forms:write', 'clients:read', 'submissions:read', 'submissions:write'],
  viewer: ['forms:read', 'clients:read', 'submissions:read'],
};

/** What a member of this role may do. */
export function rightsOfRole(role: Role): readonly Right[] {
  return RIGHTS_OF[role];
}

/** What may be done with submissions; finer than the rights, which tokens have. */
export const ACTIONS = ['see', 'triage', 'export', 'erase'] as const;

export type Action = (typeof ACTIONS)[number];

/** The right that each action needs of a token. */
export const RIGHT_FOR: Readonly<Record<Action, Right>> = {
  see: 'submissions:read',
  triage: 'submissions:write',
  export: 'submissions:read',
  erase: 'submissions:write',
};

/** What a person of a client may do who was given these actions. */
export function rightsOfActions(
  actions: readonly Action[],
  canCreateForms: boolean,
): readonly Right[] {
  const needed = new Set<Right>(actions.map((action) => RIGHT_FOR[action]));
  if (actions.includes('see')) needed.add('forms:read');
  if (canCreateForms) needed.add('forms:write');
  return RIGHTS.filter((right) => needed.has(right));
}
