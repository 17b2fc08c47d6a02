import { Config, ConfigError, givenValue, IN_FILE } from '../platform/index.js';
import { Refused } from './command.js';

/** Settings that setup asks for. */
const OWNED = [
  'BASE_URL',
  'PORT',
  'HOST',
  'HTTP_PORT',
  'ACME_DOMAIN',
  'TRUST_PROXY',
  'DATABASE_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'BACKUP_DIR',
  'BACKUP_SCHEDULE',
  'BACKUP_COMMAND',
] as const;
type Owned = (typeof OWNED)[number];

/** New values of settings; null unsets one. */
export type Change = Partial<Record<Owned, string | null>>;
type Values = Record<string, string | undefined>;

/** Holds the settings as they will be: those that are there, and the answers so far. They are valid at any time. */
export class Draft {
  private constructor(
    /** Variables of this process, which win over `.env`. */
    private readonly environment: Values,
    private readonly present: Values,
    private readonly change: Change,
    /** A sentence for each setting of `.env` that is wrong, until it has another value. */
    private readonly wrong: ReadonlyMap<string, string>,
    readonly config: Config,
  ) {}

  /**
   * Begins with what is there. Settings of `.env` that setup asks for anyway count as unset if they are wrong.
   * @throws Refused when another one is wrong
   */
  static begin(environment: Values, file: Values): Draft {
    const present = { ...file, ...environment };
    const problems = problemsOf(present);
    const wrong = new Map(problems.map((problem) => [problem.split(' ')[0] ?? '', problem]));
    const names = OWNED.filter((name) => wrong.has(name) && !(name in environment));
    const change = Object.fromEntries(names.map((name) => [name, null]));
    const others = problemsOf({ ...present, ...settingsOf(present, change) });
    if (others.length > 0) throw new Refused(others.join('\n'));
    const config = Config.from({ ...present, ...settingsOf(present, change) });
    return new Draft(environment, present, change, wrong, config);
  }

  /** Sentences about settings of `.env` that are wrong, and have no other value yet. */
  get problems(): string[] {
    return [...this.wrong.values()];
  }

  /** Returns every setting that setup asks for, as overrides of an environment; empty where unset. */
  get settings(): Record<string, string> {
    return settingsOf(this.present, this.change);
  }

  /** Returns the value of a setting; undefined if unset. */
  value(name: Owned): string | undefined {
    const value = this.settings[name];
    return value === '' ? undefined : value;
  }

  /**
   * Returns the draft with a change.
   * @throws Refused when a value is wrong, or the environment has another
   */
  with(change: Change): Draft {
    const merged = { ...this.change, ...change };
    const settings = settingsOf(this.present, merged);
    for (const name of OWNED) {
      const isFixed = name in this.environment || name + IN_FILE in this.environment;
      if (isFixed && settings[name] !== this.settings[name])
        throw new Refused(
          `${name} is set in the environment, which wins over .env. Remove it there, or leave it as it is.`,
        );
    }
    const problems = problemsOf({ ...this.present, ...settings });
    if (problems.length > 0) throw new Refused(problems.join('\n'));
    const wrong = new Map([...this.wrong].filter(([name]) => !(name in change)));
    const config = Config.from({ ...this.present, ...settings });
    return new Draft(this.environment, this.present, merged, wrong, config);
  }

  /** Returns what to change in a file with these variables, null for what to remove. */
  changesOf(file: Values): Map<string, string | null> {
    const before = settingsOf(this.present, {});
    const changes = new Map<string, string | null>();
    for (const name of OWNED) {
      const value = this.change[name];
      if (value === undefined || value === before[name]) continue;
      if (value !== null || name in file) changes.set(name, value);
      if (name + IN_FILE in file) changes.set(name + IN_FILE, null);
    }
    return changes;
  }
}

function settingsOf(present: Values, change: Change) {
  const settings: Record<string, string> = {};
  for (const name of OWNED) {
    const value = change[name];
    settings[name] = (value === undefined ? givenValue(name, present, []) : value) ?? '';
    settings[name + IN_FILE] = '';
  }
  return settings;
}

function problemsOf(settings: Values) {
  try {
    Config.from(settings);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
