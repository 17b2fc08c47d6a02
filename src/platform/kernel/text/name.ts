/** Longest name of an account or a token, in characters (code points). */
const NAME_MAX = 255;

/**
 * Reads the name of an account or a token.
 * @returns the name without surrounding blanks; null when nothing is left or it is too long
 */
export function parseName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.trim();
  const length = Array.from(name).length;
  return length >= 1 && length <= NAME_MAX ? name : null;
}

/** Rule of `parseName`, for error messages. */
export const NAME_RULE = `must have 1 to ${NAME_MAX} characters`;
