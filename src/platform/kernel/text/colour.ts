import names from 'color-name';

const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** Luminance that contrasts with black as much as with white: (L + 0.05)² = 1.05 · 0.05, by WCAG 2's ratio. */
const MIDDLE_LUMINANCE = 0.179;

/**
 * Reads a colour: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa` or a named colour of CSS Color 4.
 * Nothing else passes, since the colour is written into a style sheet.
 * @returns the colour as it was written, without surrounding blanks, or null
 */
export function parseColour(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return HEX.test(text) || Object.hasOwn(names, text.toLowerCase()) ? text : null;
}

/** Tells whether light text is more readable than dark text on a colour that `parseColour` has passed. */
export function isDarkColour(colour: string) {
  return luminance(channels(colour.toLowerCase())) < MIDDLE_LUMINANCE;
}

function luminance(colour: readonly number[]) {
  const [red, green, blue] = colour.map(linear);
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Grounds of our pages, and how much they must differ from text on them (WCAG 2.2, AA). */
const GROUNDS = { light: 1, dark: 0.01 } as const;
const CONTRAST_MIN = 4.5;
/** Share by which a colour goes towards black or white in each try. */
const STEP = 0.04;

/**
 * Returns a colour that is readable on our light or dark ground: the colour itself, or else made darker or
 * lighter as far as it takes.
 * @param colour that `parseColour` has passed
 * @returns `#rrggbb`
 */
export function readableColour(colour: string, ground: keyof typeof GROUNDS) {
  const target = ground === 'light' ? 0 : 255;
  let now = [0, 1, 2].map((index) => channels(colour.toLowerCase())[index] ?? 0);
  while (contrast(luminance(now), GROUNDS[ground]) < CONTRAST_MIN) {
    now = now.map((channel) => channel + Math.sign(target - channel) * Math.max(1, Math.abs(target - channel) * STEP));
  }
  return `#${now.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

function contrast(a: number, b: number) {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function channels(colour: string) {
  if (!colour.startsWith('#')) return (names as Record<string, readonly number[]>)[colour] ?? [];
  const width = colour.length > 5 ? 2 : 1;
  const digits = [1, 1 + width, 1 + 2 * width].map((from) => colour.slice(from, from + width));
  return digits.map((digit) => Number.parseInt(digit.padStart(2, digit), 16));
}

/** Turns a channel of sRGB, 0 to 255, into linear light, 0 to 1 (WCAG 2, relative luminance). */
function linear(channel: number) {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
