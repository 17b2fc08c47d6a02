import names from 'color-name';

const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/**
 * Reads a colour: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa` or a named colour of CSS Color 4.
 * Nothing else may pass, since it is written into a style sheet.
 * @returns the colour as it was written, without surrounding blanks, or null
 */
export function parseColour(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return HEX.test(text) || Object.hasOwn(names, text.toLowerCase()) ? text : null;
}
