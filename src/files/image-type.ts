/** Media type of a picture that browsers show without running anything. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** Bytes at the beginning of a file that tell what it is. */
export const HEAD_BYTES = 16;

/** Returns what a file is by its first bytes, whatever it is called; null for all that is no such picture. */
export function imageTypeOf(head: Buffer): ImageType | null {
  const text = head.toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n') && text.slice(12, 16) === 'IHDR') return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  return /^RIFF[^]{4}WEBPVP8/.test(text) ? 'image/webp' : null;
}
