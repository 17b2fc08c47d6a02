/** Whether an Accept header names `text/html`: a page is for those who ask for one, by name. */
export function namesHtml(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? '');
}
