import { chown, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import { givenValue } from '../platform/config/given-value.js';
import { ENV_FILE, readEnvText } from '../platform/config/load-config.js';
import { writeWhole } from '../platform/database/backup/backup-folder.js';
import { Refused } from './command.js';

/** Characters that need no quotes for Node, compose and systemd. */
const PLAIN = /^[\w.:/@%+,=?&~-]*$/;

/** Holds `.env` in the working directory, and changes lines of it. */
export class EnvFile {
  readonly path = resolve(ENV_FILE);
  /** Its variables. */
  readonly values: Record<string, string>;

  /** @throws ConfigError when the file is not UTF-8 */
  constructor(private readonly text = readEnvText()) {
    this.values = { ...parseEnv(text) } as Record<string, string>;
  }

  /**
   * Returns the file with these variables set, or removed where null; all other lines stay as they are.
   * @throws Refused for a value that not every reader of the file would understand, and a file that cannot be changed so
   */
  changed(changes: Map<string, string | null>): string {
    const end = this.text.includes('\r\n') ? '\r\n' : '\n';
    const lines = this.text === '' ? [] : this.text.replace(/\r?\n$/, '').split(/\r?\n/);
    const written = new Set<string>();
    const kept = lines.flatMap((line) => {
      const name = /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? '';
      const value = changes.get(name);
      if (value === undefined) return [line];
      if (value === null || written.has(name)) return [];
      written.add(name);
      return [lineOf(name, value)];
    });
    for (const [name, value] of changes) {
      if (value !== null && !written.has(name)) kept.push(lineOf(name, value));
    }
    const text = kept.map((line) => line + end).join('');
    this.assertReadsAs(text, changes);
    return text;
  }

  /** Writes the file as a whole, for its owner alone to read. @throws Refused, the error of the disk */
  async write(changes: Map<string, string | null>): Promise<void> {
    const text = this.changed(changes);
    const path = await realpath(this.path).catch(() => this.path);
    const former = await stat(path).catch(() => null);
    await writeWhole(path, () => Readable.from([text]));
    // With sudo, the file still belongs to the user that the service runs as.
    if (former) await chown(path, former.uid, former.gid).catch(() => undefined);
  }

  /** @throws Refused, such as for a value over several lines of which one looks like a setting */
  private assertReadsAs(text: string, changes: Map<string, string | null>): void {
    const expected = new Map(Object.entries(this.values));
    for (const [name, value] of changes) {
      if (value === null) expected.delete(name);
      else expected.set(name, value);
    }
    if (!isDeepStrictEqual({ ...parseEnv(text) }, Object.fromEntries(expected)))
      throw new Refused(`${this.path} has lines that setup cannot change. Change it by hand.`);
  }
}

/**
 * Returns a line that Node, the `env_file` of compose and the `EnvironmentFile` of systemd read as the same value.
 * @throws Refused when no quotes make that true
 */
function lineOf(name: string, value: string): string {
  const line = `${name}=${quoted(value) ?? ''}`;
  if (quoted(value) === null || givenValue(name, parseEnv(line), []) !== value)
    throw new Refused(
      `${ENV_FILE} cannot hold this value of ${name} so that each program reads it alike: it begins and ends with quotes, ends with a backslash, has several lines, or a ' beside one of " \\ $ \`. Write it into a file, and set ${name}_FILE to the path of that file.`,
    );
  return line;
}

/** Returns null where neither single nor double quotes do: between the latter, readers expand \ and $ differently. */
function quoted(value: string): string | null {
  if (/\p{Cc}/u.test(value)) return null;
  if (PLAIN.test(value)) return value;
  if (!value.includes("'") && !value.endsWith('\\')) return `'${value}'`;
  return /["\\$`]/.test(value) ? null : `"${value}"`;
}
