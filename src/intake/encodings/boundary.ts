/** Bytes of a body in which its first part shows: the longest name of a field would fit into a quarter. */
const FIRST_PART_BYTES = 16 * 1024;

const DECLARED = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^;\s"]{1,200}))/i;
/** The first line of a multipart body. */
const DELIMITER = /^--([\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?)$/;
const FORM_DATA = /^content-disposition:[ \t]*form-data\b/i;

/** Tells whether so much of a body has come that `boundaryOf` sees what it is. */
export function showsBoundary(beginning: Buffer): boolean {
  if (beginning.length < 2) return false;
  return (
    beginning.length >= FIRST_PART_BYTES ||
    beginning.toString('latin1', 0, 2) !== '--' ||
    beginning.includes('\r\n\r\n')
  );
}

/**
 * Returns the boundary of a multipart body: as the body itself says where it begins with a field, whatever its
 * Content-Type is, else as that says. Nothing else that a page sends begins so.
 * @returns null for another body
 */
export function boundaryOf(contentType: string, beginning: Buffer): string | null {
  const [, quoted, plain] = DECLARED.exec(contentType) ?? [];
  const declared = quoted ?? plain ?? null;
  return boundaryIn(beginning) ?? declared;
}

function boundaryIn(beginning: Buffer): string | null {
  if (beginning.toString('latin1', 0, 2) !== '--') return null;
  const head = beginning.toString('latin1', 0, FIRST_PART_BYTES);
  const end = head.indexOf('\r\n\r\n');
  const [first = '', ...headers] = head.slice(0, Math.max(end, 0)).split('\r\n');
  const boundary = DELIMITER.exec(first.trimEnd())?.[1];
  if (boundary === undefined || !headers.some((line) => FORM_DATA.test(line))) return null;
  return boundary;
}
