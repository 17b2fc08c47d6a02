import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/**
 * Writes the lists of settings in docs/settings.md and `.env.example` from `src/platform/config/settings.ts`, and leaves
 * the text around them. With `--check` it writes nothing and exits with 1 when one of them differs.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const BUNDLE = `${ROOT}build/settings.mjs`;

await build({
  input: `${ROOT}src/platform/config/settings.ts`,
  platform: 'node',
  external: /^[^./]/,
  output: { file: BUNDLE },
});
const { ALL_SETTINGS } = await import(BUNDLE);

/** Returns a table as the formatter lays it out. */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function defaultOf({ default: value, unset }) {
  if (value !== '') return `\`${value}\``;
  return unset === '' ? 'unset' : `unset: ${unset}`;
}

/** Returns the comment and the line of a setting; a plain text leads to no other page. */
function lineOf({ name, default: value, unset, doc }) {
  const sentences = (unset === '' ? doc : `${doc} If unset, ${unset}.`).split(/(?<=\.) /);
  const plain = sentences
    .filter((sentence) => !/\bsee \[/i.test(sentence))
    .join(' ')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll('`', '');
  return `# ${plain}\n# ${name}=${value}\n`;
}

const rows = ALL_SETTINGS.map((setting) => [`\`${setting.name}\``, defaultOf(setting), setting.doc]);
const written = {
  'docs/settings.md': (text) => text.replace(/^\|.*\|$/ms, () => table([['Variable', 'Default', 'Meaning'], ...rows])),
  '.env.example': (text) => `${/^.*?\n\n/s.exec(text)[0]}${ALL_SETTINGS.map(lineOf).join('\n')}`,
};
for (const [name, write] of Object.entries(written)) {
  const before = readFileSync(ROOT + name, 'utf8');
  const text = write(before);
  if (process.argv[2] !== '--check') {
    writeFileSync(ROOT + name, text);
  } else if (before !== text) {
    process.stderr.write(`${name} does not match the code; npm run settings writes it anew.\n`);
    process.exitCode = 1;
  }
}
