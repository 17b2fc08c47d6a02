import { decodeText, decoderFor } from './charset.js';

/** Escapes that browsers write for the three characters that would end a name. */
const BROWSER_ESCAPES = new Map([
  ['%22', '"'],
  ['%0D', '\r'],
  ['%0A', '\n'],
]);
/** The next parameter, or a semicolon without one. Sticky, so that no text is read twice. */
const PLAIN = /;\s*(?:([\w-]+\*?)\s*=\s*(?:"([^"]*)"|([^";\s]+))\s*)?/y;
const ESCAPED = /;\s*(?:([\w-]+\*?)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^";\s]+))\s*)?/sy;

/** The two ways of writing parameters, and how to decode each. */
const DIALECTS = [
  // The URL and HTML standards: a quote is written %22, and a backslash is just itself.
  { grammar: PLAIN, undo: (text: string) => text.replace(/%(?:22|0D|0A)/g, browserEscape) },
  // Mail (RFC 822), as curl still does: a backslash before a quote and before a backslash.
  { grammar: ESCAPED, undo: (text: string) => text.replace(/\\(.)/gs, '$1') },
];

/**
 * Reads the parameters of a `Content-Disposition: form-data; name="a"; filename="b"`, one character a byte.
 * Takes time in proportion to its length.
 * @returns null when it is malformed
 */
export function dispositionParameters(header: string): Map<string, string> | null {
  const start = header.indexOf(';');
  const text = start < 0 ? '' : header.slice(start);
  for (const { grammar, undo } of DIALECTS) {
    const parameters = parse(text, grammar, undo);
    if (parameters) return parameters;
  }
  return null;
}

function parse(
  text: string,
  grammar: RegExp,
  undo: (quoted: string) => string,
): Map<string, string> | null {
  const parameters = new Map<string, string>();
  let end = 0;
  for (grammar.lastIndex = 0; end < text.length; end = grammar.lastIndex) {
    const found = grammar.exec(text);
    if (!found) return null;
    const [, name, quoted, plain = ''] = found;
    if (name !== undefined)
      parameters.set(name.toLowerCase(), quoted === undefined ? plain : undo(quoted));
  }
  return parameters;
}

/**
 * Returns the text of an extended parameter such as `UTF-8''na%C3%AFve.txt` (RFC 8187).
 * @returns null when it is malformed
 */
export function extendedText(value: string | undefined): string | null {
  const [, charset, encoded] = /^([\w-]+)'[^']*'(.*)$/s.exec(value ?? '') ?? [];
  if (charset === undefined || encoded === undefined) return null;
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decodeText(bytes, decoderFor(charset));
}

function browserEscape(code: string): string {
  return BROWSER_ESCAPES.get(code) ?? code;
}
