/** Tells whether a value is an address that links can begin with: of http or https, without a path. */
export function isBaseUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const url = new URL(value);
  const plain =
    url.username === '' &&
    url.password === '' &&
    /^\/*$/.test(url.pathname) &&
    url.search === '' &&
    url.hash === '';
  return plain && /^https?:$/.test(url.protocol);
}
