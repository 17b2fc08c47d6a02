const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** Returns what a country is called, such as `Germany`, by its two letters; those where it has no name. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code;
}
