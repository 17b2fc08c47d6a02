/** Writes a moment for operators, such as `2030-01-31 14:00 UTC`. */
export function minuteText(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
