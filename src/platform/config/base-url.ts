import { parseWebUrl } from '../kernel/text/parse-url.js';

/** Tells whether a value is an address that links can begin with: of http or https, without a path. */
export function isBaseUrl(value: unknown): boolean {
  const url = parseWebUrl(value);
  return (
    url?.username === '' &&
    url.password === '' &&
    /^\/*$/.test(url.pathname) &&
    url.search === '' &&
    url.hash === ''
  );
}
