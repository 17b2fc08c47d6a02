import type { RowProblem } from '../model/import.entity.js';
import { ImportUnreadable, ImportTruncated } from '../model/import-options.js';
import { isJson, jsonMembers, jsonShape, type JsonMember, type Config } from '../../../platform/index.js';

/** Most that is read of a row, whatever comes of it. */
export interface RowLimits {
  chars: number;
  /** Levels and values of JSON. */
  depth: number;
  values: number;
}

/** Characters, levels and values of a row besides its submission's: escapes, other columns, objects around it. */
const ESCAPES = 2;
const OTHER_CHARS = 64 * 1024;
const OTHER_LEVELS = 4;
/** Most values of JSON in a row: a megabyte has more of them only where they are empty. */
const VALUES_MAX = 50_000;

/** Returns how long, deep and wide a row may be whose submission is within its limits. */
export function rowLimits({ maxBodyBytes, maxJsonDepth }: Config['intake']): RowLimits {
  return { chars: ESCAPES * maxBodyBytes + OTHER_CHARS, depth: maxJsonDepth + OTHER_LEVELS, values: VALUES_MAX };
}

/** A row of a file, with the line where it begins; or the reason why it cannot be read. */
export type RawRow =
  | { line: number; members: JsonMember[]; reason?: undefined }
  | (RowProblem & { members?: undefined });

/** The text of a file, in pieces. */
export type Text = AsyncGenerator<string, undefined>;

/** Reads so many characters of a text, and at least one that is no blank, unless it ends before. */
export async function beginningOf(text: Text, chars: number) {
  let begin = '';
  while (begin.length < chars || begin.trim() === '') {
    const { value } = await text.next();
    if (value === undefined) break;
    begin += value;
  }
  return begin;
}

/** Returns the beginning of a text and what follows it. */
export async function* withBegin(begin: string, rest: Text): Text {
  yield begin;
  yield* rest;
}

/** Members of a JSON object that hold its submissions. */
const LISTS = ['submissions', 'data', 'results', 'entries', 'items'];

/** Characters that open, close or divide values, and those that begin or end a text or a line. */
const SIGNS = /["{}[\],\n]/g;

/** A character that ends a text, or takes its meaning from the next. */
const WITHIN_TEXT = /["\\]/g;

const NO_JSON = 'It is no valid JSON.';

/** Characters at the end of what is no row, among which the name of a member is looked for. */
const NAME_CHARS = 128;

/**
 * Reads the objects of a JSON list piece by piece: the list itself, or a member of the object such as `submissions`.
 * @throws ImportUnreadable, ImportTruncated
 */
export async function* jsonRows(text: AsyncIterable<string>, limits: RowLimits): AsyncGenerator<RawRow> {
  const scanner = new ListScanner(limits.chars);
  for await (const chunk of text) {
    for (const { line, json } of scanner.scan(chunk)) yield jsonRow(json, line, limits);
  }
  scanner.end();
}

/** Reads one JSON object a line. @throws ImportUnreadable */
export async function* ndjsonRows(text: AsyncIterable<string>, limits: RowLimits): AsyncGenerator<RawRow> {
  let line = 1;
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > limits.chars) throw tooLong(line);
    for (const json of lines) {
      if (json.trim() !== '') yield jsonRow(json, line, limits);
      line++;
    }
  }
  if (rest.trim() === '') return;
  const last = jsonRow(rest, line, limits);
  // The last line may lack its end, but not a part of its object.
  if (last.reason === NO_JSON) throw new ImportTruncated(line);
  yield last;
}

/** Looks at the shape of a row first: to parse one that is deep or wide takes seconds. */
function jsonRow(json: string, line: number, limits: RowLimits): RawRow {
  const { depth, values } = jsonShape(json);
  if (depth > limits.depth) return { line, reason: `It has more than ${limits.depth} levels.` };
  if (values > limits.values) return { line, reason: `It has more than ${limits.values} values.` };
  if (!isJson(json)) return { line, reason: NO_JSON };
  const trimmed = json.trim();
  if (!trimmed.startsWith('{')) return { line, reason: 'It is no JSON object.' };
  return { line, members: jsonMembers(trimmed) };
}

function tooLong(line: number) {
  return new ImportUnreadable(`The row that begins at line ${line} is too long.`);
}

/** Cuts the elements out of the list of a JSON document, of which it holds one at a time. */
class ListScanner {
  private depth = 0;
  /** Depth of the elements of the list; 0 before it. */
  private within = 0;
  private isFound = false;
  private isInText = false;
  private isEscaped = false;
  private line = 1;
  private begin = 1;
  /** Text of the element so far; before the list, the end of what was read. */
  private held = '';

  constructor(private readonly charsMax: number) {}

  *scan(chunk: string): Generator<{ line: number; json: string }> {
    let from = 0;
    let at = 0;
    const take = (end: number) => {
      const part = this.held + chunk.slice(from, end);
      from = end;
      this.held = this.within > 0 ? part : part.slice(-NAME_CHARS);
      if (this.held.length > this.charsMax) throw tooLong(this.begin);
    };
    if (this.isEscaped && chunk !== '') {
      this.isEscaped = false;
      at = 1;
    }
    while (at < chunk.length) {
      if (this.isInText) {
        at = this.skipText(chunk, at);
        continue;
      }
      SIGNS.lastIndex = at;
      const found = SIGNS.exec(chunk);
      if (!found) break;
      at = found.index + 1;
      const sign = found[0];
      if (sign === '"') this.isInText = true;
      else if (sign === '\n') this.line++;
      else if (sign === '{' || sign === '[') {
        this.depth++;
        const before = Math.max(from, found.index - NAME_CHARS);
        if (sign === '[' && this.isList(this.held + chunk.slice(before, found.index))) {
          this.within = this.depth;
          this.isFound = true;
          from = at;
          this.held = '';
        } else if (this.depth === this.within + 1 && this.within > 0) this.begin = this.line;
      } else if (sign === ',' && this.depth !== this.within) continue;
      else {
        const isEnd = sign !== ',' && --this.depth === this.within - 1;
        if (this.within === 0 || (sign !== ',' && !isEnd)) continue;
        take(found.index);
        from = at;
        const json = this.held;
        this.held = '';
        if (isEnd) this.within = 0;
        if (json.trim() !== '') yield { line: this.begin, json };
      }
    }
    take(chunk.length);
  }

  /** @throws ImportUnreadable, ImportTruncated */
  end() {
    if (this.isInText || this.depth > 0) throw new ImportTruncated(this.begin);
    if (!this.isFound || this.depth < 0) {
      const names = LISTS.map((name) => `"${name}"`).join(', ');
      throw new ImportUnreadable(
        `The file has no list of submissions: we look for a JSON list, or an object with a list under ${names}.`,
      );
    }
  }

  private isList(before: string) {
    if (this.isFound) return false;
    if (this.depth === 1) return true;
    if (this.depth !== 2) return false;
    const [, name = ''] = /"([^"\\]*)"\s*:\s*$/.exec(before.slice(-NAME_CHARS)) ?? [];
    return LISTS.includes(name);
  }

  private skipText(chunk: string, from: number) {
    WITHIN_TEXT.lastIndex = from;
    const found = WITHIN_TEXT.exec(chunk);
    if (!found) return chunk.length;
    if (found[0] === '"') {
      this.isInText = false;
      return found.index + 1;
    }
    this.isEscaped = found.index + 1 === chunk.length;
    return found.index + 2;
  }
}
