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
