/** Returns so much of a text, in UTF-16 code units, without half of a character at its end. */
export function beginningOf(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}

/** Returns a text, of a longer one its beginning with an ellipsis. */
export function cutAt(text: string, max: number): string {
  return text.length <= max ? text : `${beginningOf(text, max)}…`;
}
