/** Returns the parts of a list with commas, without blanks around them and without empty ones. */
export function commaList(text: string): string[] {
  return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}
