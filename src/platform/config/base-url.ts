import { parseUrl } from '../kernel/text/parse-url.js';

/** Tells whether a value is an address that links can begin with: of http or https, without a path. */
export function isBaseUrl(value: unknown): boolean {
  const url = parseUrl(value);
  if (!url) return false;
  const plain =
    url.username === '' &&
    url.password === '' &&
    /^\/*$/.test(url.pathname) &&
    url.search === '' &&
    url.hash === '';
  return plain && /^https?:$/.test(url.protocol);
}
