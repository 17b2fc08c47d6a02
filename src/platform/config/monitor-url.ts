import { parseUrl } from '../kernel/text/parse-url.js';

/** Tells whether a text is an http or https URL that can be called as it is: credentials would be refused then. */
export function isMonitorUrl(value: unknown): boolean {
  const url = parseUrl(value);
  if (!url) return false;
  const { protocol, username, password } = url;
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
