/**
 * The characters of windows-1252 from 0x80 to 0x9f. Node 20 decodes it as ISO 8859-1, which has control
 * characters there.
 */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Decodes windows-1252 that is given as a string of one character a byte. */
export function fromWindows1252(bytes: string) {
  return bytes.replace(/[\x80-\x9f]/g, (byte) => WINDOWS_1252[byte.charCodeAt(0) - 0x80] ?? byte);
}
