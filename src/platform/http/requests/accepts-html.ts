/** Tells whether an Accept header names `text/html`. Wildcards do not count: a page is for clients that ask for one. */
export function acceptsHtmlByName(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? '');
}
