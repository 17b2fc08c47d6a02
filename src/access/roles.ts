import { RIGHTS, type Right } from './rights.js';

/** The roles of an account's members. */
export const ROLES = ['owner', 'editor', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

const RIGHTS_OF: Readonly<Record<Role, readonly Right[]>> = {
  owner: RIGHTS,
  editor: [
    'forms:read',
    'forms:write',
    'forms:create',
    'clients:read',
    'submissions:read',
    'submissions:write',
  ],
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
export function rightsOfActions(
  actions: readonly Action[],
  canCreateForms: boolean,
): readonly Right[] {
  const needed = new Set<Right>(actions.map((action) => RIGHT_FOR[action]));
  if (actions.includes('see')) needed.add('forms:read');
  if (canCreateForms) needed.add('forms:create').add('forms:write');
  return RIGHTS.filter((right) => needed.has(right));
}
