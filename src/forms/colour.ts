import names from 'color-name';

const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** The luminance that contrasts with black as much as with white. */
const MIDDLE_LUMINANCE = 0.179;

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

/** Whether light text is the more readable on a colour that `parseColour` has passed. */
export function isDarkColour(colour: string): boolean {
  const [red, green, blue] = channels(colour.toLowerCase()).map(linear);
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0) < MIDDLE_LUMINANCE;
}

function channels(colour: string): readonly number[] {
  if (!colour.startsWith('#')) return (names as Record<string, readonly number[]>)[colour] ?? [];
  const width = colour.length > 5 ? 2 : 1;
  const digits = [1, 1 + width, 1 + 2 * width].map((from) => colour.slice(from, from + width));
  return digits.map((digit) => Number.parseInt(digit.padStart(2, digit), 16));
}

/** From sRGB to what the eye sees, as WCAG 2 defines relative luminance. */
function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
