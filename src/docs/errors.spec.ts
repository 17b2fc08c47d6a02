import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../', import.meta.url));
/** Errors that only a terminal shows. */
const AT_THE_TERMINAL = ['account_exists', 'account_not_found', 'secret_taken'];
/** Caught where it is thrown: the first answer is given once more. */
const NEVER_TOLD = ['idempotency_key_taken'];

/** Told by a job that ended early, and by no answer. */
const IN_JOBS = [
  ...['no_longer_allowed', 'exports_full', 'export_disk_full', 'erased_meanwhile'],
  'import_file_gone',
  'import_given_up',
  'job_given_up',
];

const page = readFileSync(new URL('../../docs/api/errors.md', import.meta.url), 'utf8');

/** The codes that classes of errors are made with, and those given to `new SubmissionTooLarge(…)` and the like. */
function codesInSources(): Set<string> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const told = files.filter(
    (file) =>
      file.endsWith('.ts') &&
      !/\.spec\.ts$|^(?:operations\/(?:backup|doctor)|platform\/database\/backup|cli)\//.test(file),
  );
  return new Set(
    told.flatMap((file) => {
      const text = readFileSync(SOURCES + file, 'utf8');
      const made = text.matchAll(
        /(?:(?:super|new (?:SubmissionTooLarge|FieldLimitExceeded))\(|fact\(\s*\w+,)\s*'([a-z]+(?:_[a-z]+)*)'\s*,/g,
      );
      const literal = text.matchAll(/^const UNEXPECTED = \{\s+code: '(\w+)'/gm);
      return Array.from([...made, ...literal], ([, code = '']) => code);
    }),
  );
}

describe('The page about errors', () => {
  const codes = codesInSources();
  const rows = page.matchAll(/^\| +\d{3} +\| +`(\w+)` +\|/gm);
  const described = Array.from(rows, ([, code = '']) => code.toLowerCase());

  it('describes every code that the service answers with', () => {
    const apart = [...AT_THE_TERMINAL, ...NEVER_TOLD, ...IN_JOBS];
    const silent = [...codes].filter((code) => !described.includes(code) && !apart.includes(code));

    expect(codes.size).toBeGreaterThan(40);
    expect(silent).toEqual([]);
  });

  it('describes no code that the service does not know', () => {
    expect(described.filter((code) => !codes.has(code))).toEqual([]);
    expect([...AT_THE_TERMINAL, ...NEVER_TOLD, ...IN_JOBS].filter((code) => !codes.has(code))).toEqual([]);
  });

  it('describes the codes of fields that input can be refused with, and no others', () => {
    const section = page.slice(page.indexOf('## Codes of fields'));
    const listed = section.slice(0, section.indexOf('\n## ', 1)).matchAll(/`(\w+)`/g);
    const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.spec)\.ts$/.test(file) && !/^(?:platform\/config|web)\//.test(file))
      .map((file) => readFileSync(SOURCES + file, 'utf8'))
      .join('\n');

    const names = Array.from(listed, ([, code = '']) => code);
    const ruled = sources.matchAll(/\b(?:Parsed\(|ValidateBy\(\{\s*name:)\s*'(\w+)'/g);
    const made = sources.matchAll(/\bfield(?:: '[^']*')?,\s*code: '([a-z_]+)'/g);
    const rules = Array.from([...ruled, ...made], ([, code = '']) => code);
    // A rule of the pipe has a code of its own; one that is a problem by itself is described there.
    const apart = ['length', ...described];
    const silent = rules.filter((code) => !names.includes(code) && !apart.includes(code));
    const stale = names.filter((code) => !sources.includes(`'${code}'`));

    expect(rules.length).toBeGreaterThan(15);
    expect([...new Set(silent)]).toEqual([]);
    expect(stale).toEqual([]);
  });
});
