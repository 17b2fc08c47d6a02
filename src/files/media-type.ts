/** Longest stored media type of a file, in characters. */
const MEDIA_TYPE_MAX = 255;

/** Returns the media type that a `Content-Type` names, without its parameters; empty for none. */
export function mediaTypeIn(contentType: string): string {
  const [type = ''] = contentType.split(';', 1);
  return type.trim().slice(0, MEDIA_TYPE_MAX);
}
