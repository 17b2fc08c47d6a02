import type { Change, Draft } from './draft.js';
import type { Terminal } from './terminal.js';

/** Options of the command; false where `--no-…` unsets a setting. */
export interface SetupOptions {
  yes?: boolean;
  baseUrl?: string | false;
  proxy?: boolean;
  databaseUrl?: string | false;
  smtpUrl?: string | false;
  mailFrom?: string | false;
  testEmail?: string;
  ownerName?: string;
  ownerEmail?: string;
  ownerPasswordFile?: string;
  backupDir?: string | false;
  backupSchedule?: string | false;
  backupCommand?: string | false;
}

/** One of the questions about settings. */
export interface Step {
  title: string;
  /** Returns the change that options ask for. @throws WrongUse */
  read(options: SetupOptions, draft: Draft): Change;
  /** Asks a person for it. */
  ask(terminal: Terminal, draft: Draft): Promise<Change>;
  /**
   * Tries the answer.
   * @returns a sentence about what works
   * @throws an error whose message says what does not, and the fix
   */
  attempt(draft: Draft): Promise<string>;
}

/** Returns a change by the values of options: undefined leaves a setting as it is, false unsets it. */
export function changeOf(values: Record<string, string | false | undefined>): Change {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, value === false ? null : value]));
}
