import { parseWebUrl } from '../kernel/text/parse-url.js';

/** Tells whether a text is an http or https URL that can be called as it is: credentials would be refused then. */
export function isMonitorUrl(value: unknown): boolean {
  const url = parseWebUrl(value);
  return url?.username === '' && url.password === '';
}
