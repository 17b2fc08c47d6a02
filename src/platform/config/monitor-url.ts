/** Tells whether a text is an http or https URL that can be called as it is: credentials would be refused then. */
export function isMonitorUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
