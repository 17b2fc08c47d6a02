/** The rights of tokens and of roles. A token without a list has all of them. */
export const RIGHTS = [
  'forms:read',
  'forms:write',
  'forms:create',
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
