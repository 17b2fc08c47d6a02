/** The meaning that a page gives to a field that is not the visitor's. */
export type Role =
  | 'next'
  | 'error'
  | 'page'
  | 'honeypot'
  | 'append'
  | 'key'
  | 'subject'
  | 'setting';

/** Roles by the name of the field. A name that ends in `*` means all that begin so. */
export type Roles = Readonly<Record<string, Role>>;

/** Roles of fields by which pages of any provider, and ours, say what is to be done. */
const COMMON: Roles = { _subject: 'subject', _language: 'setting', _charset_: 'setting' };

/** Returns the role of a field; null for one of the visitor's. */
export function roleOf(roles: Roles, name: string): Role | null {
  if (Object.hasOwn(roles, name)) return roles[name] ?? null;
  if (Object.hasOwn(COMMON, name)) return COMMON[name] ?? null;
  for (const known in roles) {
    if (known.endsWith('*') && name.startsWith(known.slice(0, -1))) return roles[known] ?? null;
  }
  return null;
}
