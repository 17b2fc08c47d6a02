const NAME_MAX_LENGTH = 200;

/**
 * Returns `attachment` with the file's name for old and new browsers (RFC 6266, RFC 8187), never with a
 * path.
 */
export function contentDisposition(name: string): string {
  const last = name.replace(/^.*[/\\]/s, '').slice(0, NAME_MAX_LENGTH);
  const base = last.replace(/[\p{Cc}\p{Cs}]/gu, '') || 'file';
  const ascii = base.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(base).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
