const IDENTIFIER = /^[0-9a-f]{16}$/;

/** Tells whether a text can be the identifier of a form. */
export function isFormIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}
