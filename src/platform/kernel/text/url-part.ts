/** Returns a part of an address without its percent-encoding; as it stands where that is none. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
