/**
 * Matches most hosts, and only such as a parser of URLs leaves as they are, which takes ten times as long: lower-case
 * letters, digits and hyphens, and a last part that is no number.
 */
const PLAIN = /^(?!.*xn--)(?:[a-z\d-]+\.)+[a-z]+$/;
const PLAIN_ORIGIN = /^https?:\/\/(?!.*xn--)(?:[a-z\d-]+\.)+[a-z]+$/;

/** Tells of a host that it is written as a URL has it; false where only a parser knows. */
export function isPlainHost(host: string): boolean {
  return PLAIN.test(host);
}

/** Tells the same of an origin of http or https, without a port. */
export function isPlainOrigin(origin: string): boolean {
  return PLAIN_ORIGIN.test(origin);
}
