/** Whether an Accept header names `text/html`: a page is for those who ask for one, by name. */
export function acceptsHtmlByName(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? '');
}
