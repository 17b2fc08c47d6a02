import { byteSize } from '../../platform/kernel/byte-size.js';

/** Longest beginning of a `data:` URL before its content, in characters. */
const HEAD_MAX = 400;
/** The type, and parameters such as `charset=utf-8` and `base64`. */
const HEAD = /^data:([a-z\d.+-]{1,60}\/[a-z\d.+-]{1,80})((?:;[\w="'.-]{1,60}){0,4}),/i;
/** Shorter content that is not base64 is shown as it was typed, in characters. */
const TYPED_MAX = 200;
const BASE64 = /^[A-Za-z\d+/_=%\s-]*$/;
/** Types of pictures that browsers show without running anything. */
const PICTURES = ['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp'];

/** A file that a visitor's script sent as text. */
export interface EmbeddedFile {
  type: string;
  /** Whether it says that it is a picture which pages can show. */
  isPicture: boolean;
  size: number;
  source: string;
}

/** Reads a text such as `data:image/png;base64,…`, as pads for signatures send it; null for any other. */
export function embeddedFile(text: string): EmbeddedFile | null {
  if (!/^data:/i.test(text)) return null;
  const [head, type = '', parameters = ''] = HEAD.exec(text.slice(0, HEAD_MAX)) ?? [];
  if (head === undefined) return null;
  const length = text.length - head.length;
  const isBase64 = /;base64$/i.test(parameters);
  if (isBase64 ? !BASE64.test(text.slice(head.length)) : length <= TYPED_MAX) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const size = isBase64 ? Math.floor((length * 3) / 4) - padding : length;
  const isPicture = PICTURES.includes(type.toLowerCase());
  return { type: type.toLowerCase(), isPicture, size, source: text };
}

/** Says in place of a file what it is, such as "image, 115 KiB". */
export function embeddedText({ type, isPicture, size }: EmbeddedFile): string {
  return `${isPicture ? 'image' : `file (${type})`}, ${byteSize(size)}`;
}

/** Returns the name under which a file is saved, such as `signature.pdf`. */
export function embeddedName(field: string, { type }: EmbeddedFile): string {
  return `${field}.${/\/([a-z\d]+)/.exec(type)?.[1] ?? 'bin'}`;
}

/** Returns the bytes of a file. */
export function embeddedBytes({ source }: EmbeddedFile): Buffer {
  const at = source.indexOf(',');
  return Buffer.from(
    decoded(source.slice(at + 1)),
    /;base64$/i.test(source.slice(0, at)) ? 'base64' : 'utf8',
  );
}

function decoded(content: string): string {
  try {
    return decodeURIComponent(content);
  } catch {
    return content;
  }
}
