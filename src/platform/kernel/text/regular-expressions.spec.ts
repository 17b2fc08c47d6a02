import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const SRC = fileURLToPath(new URL('../../../', import.meta.url));
/** Length of the shorter text that is searched, in characters. */
const LENGTH = 20_000;
/** Processor time that is no growth, whatever was faster before, in milliseconds. */
const SLACK_MS = 8;
/** Most times as long for a text four times as long: sixteen times would be a square. */
const GROWTH = 8;
const TRIES = 4;
/** Ends no match and begins none. */
const ELSE = '\u0001';

interface Found {
  place: string;
  pattern: RegExp;
}

/** Returns every regular expression that is written in the sources. */
function allPatterns(): Found[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.spec\.tsx?$/.test(name))
    .flatMap((name) => patternsIn(name, readFileSync(SRC + name, 'utf8')));
}

function patternsIn(name: string, text: string): Found[] {
  const found: Found[] = [];
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kindOf(name));
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const flags = node.text.slice(end + 1).replace('y', '');
      const place = `${name}: ${node.text}`;
      found.push({ place, pattern: new RegExp(node.text.slice(1, end), flags) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function kindOf(name: string): ts.ScriptKind {
  return name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}

/** Returns texts of which a long one might make a pattern go back: its literals, alone and joined, and samples of its classes. */
function unitsOf({ source }: RegExp): string[] {
  const plain = source
    .replaceAll(/\\[dD]/g, '1')
    .replaceAll(/\\[wW]/g, 'a')
    .replaceAll('\\s', ' ')
    .replaceAll('\\r', '\r')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t')
    .replaceAll(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, '(')
    .replaceAll(/\{\d+(?:,\d*)?\}/g, '');
  const literals = plain
    .replaceAll(/\[(?:\\.|[^\][\\])*\]/g, ([, first, second]) => (first === '^' ? 'a' : (second ?? 'a')))
    .split(/[()|?*+^$]/)
    .map((part) => part.replaceAll(/\\(.)/g, '$1'))
    .filter((part) => part !== '');
  const single = [...new Set(literals.join(''))].slice(0, 12);
  const whole = [...literals.slice(0, 12), literals.join(''), literals.slice(0, 2).join('')];
  const ended = whole.slice(0, 8).map((unit) => `${unit}${ELSE}`);
  return [...new Set([...whole, ...ended, ...single, 'a', ' ', '0'])].filter((unit) => unit !== '');
}

/** Returns the processor time of a search, in milliseconds: the shortest of some tries. */
function cost(pattern: RegExp, text: string, tries = TRIES): number {
  const times = Array.from({ length: tries }, () => {
    const begin = process.cpuUsage();
    text.search(pattern);
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

/** Tells whether a search takes longer than in proportion, twice: a busy machine is slow for a while. */
function grows(pattern: RegExp, unit: string): boolean {
  const short = unit.repeat(Math.ceil(LENGTH / unit.length)) + ELSE;
  if (cost(pattern, short, 1) <= SLACK_MS / 4) return false;
  const long = short.repeat(4);
  return [1, 2].every(() => cost(pattern, long) > GROWTH * cost(pattern, short) + SLACK_MS);
}

describe('Every regular expression', () => {
  it('takes time in proportion to a text that is made of what it looks for', () => {
    const all = allPatterns();
    expect(all.length).toBeGreaterThan(300);
    const slow = all.flatMap(({ place, pattern }) =>
      unitsOf(pattern)
        .filter((unit) => grows(pattern, unit))
        .map((unit) => `${place} with ${JSON.stringify(unit)}`),
    );
    expect(slow).toEqual([]);
  });

  it('is found to grow when it begins anew at each of its own beginnings', () => {
    expect(grows(/name="key"(?:\r\n[^\r\n]+)*\r\n\r\n([^\r\n]+)\r\n/, 'name="key"\r\n')).toBe(true);
  });
});
