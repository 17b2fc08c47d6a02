/** What a token or a person may be allowed to do. A token without a list may do everything. */
export const RIGHTS = [
  'forms:read',
  'forms:write',
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
