/** A submission to the form, with facts about its sender. */
export interface Post {
  origin: string | null;
  userAgent: string;
  acceptLanguage: string | null;
  /** How long the page was open; null for who asks for no token. */
  waitMs: number | null;
  values: Record<string, string>;
}
export const SITE: string;
export const PROTECTED: { honeypots: string[]; whitelistedDomains: string; block: string[] };
export const KINDS: Record<string, (n: number) => Post>;
export function attack(n: number): Post & { kind: string };
export function honest(n: number): Post;
