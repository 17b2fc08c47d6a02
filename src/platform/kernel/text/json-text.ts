const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const COLON = ':';
/** An escape: of two halves that make a character, of one code unit, or any other. */
const ESCAPES = /\\(?:u([dD][89abAB][\dA-Fa-f]{2})\\u([dD][c-fC-F][\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|.)/g;
/** The first code that is neither ASCII nor a control character. */
const FIRST_LETTER = 0xa0;

/** One member of a JSON object: its name, and its value as JSON text. */
export interface JsonMember {
  name: string;
  json: string;
  /** The value as text, when it is known to be a string. */
  text?: string;
}

/** Tells whether a text is JSON. */
export function isJson(text: string) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Makes a member whose value is a string. */
export function textMember(name: string, text: string): JsonMember {
  return { name, json: JSON.stringify(text), text };
}

/**
 * Returns the members of a JSON object in the order they were written, repeated names included. Parsing into an object
 * would reorder names that look like numbers, keep only the last of repeated ones, and round large numbers.
 * @param text a valid JSON object
 */
export function jsonMembers(text: string): JsonMember[] {
  return topLevelParts(text).map((part) => {
    const nameEnd = endOfString(part, 0) + 1;
    const name = JSON.parse(part.slice(0, nameEnd)) as string;
    return { name, json: part.slice(part.indexOf(COLON, nameEnd) + 1).trim() };
  });
}

/**
 * Returns the elements of a JSON array, each as JSON text.
 * @param text a valid JSON array
 */
export function jsonElements(text: string): string[] {
  return topLevelParts(text);
}

/**
 * Returns a list of pairs as an object, each value as it is written. It parses nothing, which takes an eighth of
 * the time.
 * @param text pairs of a name and a value without blanks, such as `[["a","x"],["b",1]]`
 * @returns null when it is not that simple: a name occurs twice, or a value is a list or an object
 */
export function objectOfPairs(text: string): string | null {
  const tokens = tokensOfPairs(text);
  if (!tokens) return null;
  const names = new Set<string>();
  let members = '';
  for (let at = 0; at < tokens.length; at += 2) {
    const name = tokens[at] ?? '';
    if (names.has(name)) return null;
    names.add(name);
    members += `${members === '' ? '' : ','}${name}:${tokens[at + 1] ?? ''}`;
  }
  return `{${members}}`;
}

/**
 * Returns names and values in turn, each as it is written, without parsing what is between quotes.
 * @param text pairs of a name and a value without blanks, such as `[["a","x"],["b",1]]`
 * @returns null when a value is a list or an object
 */
export function tokensOfPairs(text: string): string[] | null {
  const tokens: string[] = [];
  for (let from = 1; text.charCodeAt(from) === BRACKET;) {
    const nameEnd = endOfString(text, from + 1) + 1;
    const valueFrom = nameEnd + 1;
    const first = text.charCodeAt(valueFrom);
    if (isOpening(first)) return null;
    const valueEnd = first === QUOTE ? endOfString(text, valueFrom) + 1 : text.indexOf(']', valueFrom);
    tokens.push(text.slice(from + 1, nameEnd), text.slice(valueFrom, valueEnd));
    from = valueEnd + 2;
  }
  return tokens;
}

/** Returns the text that a JSON string stands for; most have nothing that would have to be parsed. */
export function textOfString(json: string) {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

/**
 * Returns the JSON text with the letters that its escapes stand for, such as `ö` for `\u00f6`. Escapes that
 * JSON needs stay, as do control characters and halves of characters.
 */
export function readableJson(text: string) {
  if (!text.includes('\\u')) return text;
  return text.replace(ESCAPES, (escape: string, high?: string, low?: string, single?: string) => {
    if (high !== undefined) return String.fromCharCode(hex(high), hex(low));
    const code = hex(single);
    return code >= FIRST_LETTER && !isSurrogate(code) ? String.fromCharCode(code) : escape;
  });
}

function hex(digits = '') {
  return Number.parseInt(digits, 16);
}

function isSurrogate(code: number) {
  return code >= 0xd800 && code <= 0xdfff;
}

/** Returns how deep a JSON text nests: 0 for a plain value, 1 for `[1]`. Works on invalid text too. */
export function jsonDepth(text: string) {
  return jsonShape(text).depth;
}

/** Returns how deep a JSON text nests, and how many values it has at most. Works on invalid text too. */
export function jsonShape(text: string): { depth: number; values: number } {
  let level = 0;
  let depth = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === COMMA) values++;
    else if (isOpening(code)) {
      values++;
      depth = Math.max(depth, ++level);
    } else if (isClosing(code)) level--;
  }
  return { depth, values };
}

/** Returns the text between the outermost brackets, cut at its commas. */
function topLevelParts(text: string) {
  const parts: string[] = [];
  const end = text.trimEnd().length - 1;
  let depth = 0;
  let start = text.search(/[[{]/) + 1;
  for (let i = start; i <= end; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (isOpening(code)) depth++;
    else if (i === end || (code === COMMA && depth === 0)) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    } else if (isClosing(code)) depth--;
  }
  return parts.length === 1 && parts[0] === '' ? [] : parts;
}

/** Returns the index of the quote that ends the string whose opening quote is at `from`. */
function endOfString(text: string, from: number) {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // Of an even number of backslashes each escapes the next one.
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

function isOpening(code: number) {
  return code === 0x5b || code === 0x7b;
}

function isClosing(code: number) {
  return code === 0x5d || code === 0x7d;
}
