import { readFileSync } from 'node:fs';
import { COMMAND_LINE } from '../access/principal.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { PeopleService } from '../people/members/people.service.js';
import { assertGoodPassword } from '../people/person/password-policy.js';
import { tryDatabase } from '../platform/database/try-database.js';
import { DatabaseStatus } from '../platform/database/database-status.js';
import { COMMAND_LINE as PROGRAM } from '../platform/kernel/command-line.js';
import { tokenNotice } from '../start-banner.js';
import { Refused, WrongUse, readEmail, readName, withNewApp } from './command.js';
import type { Draft } from './setup-draft.js';
import type { SetupOptions } from './setup-steps.js';
import type { Terminal } from './terminal.js';

/** The person who is to own the first account. */
export interface Owner {
  name: string;
  email: string;
  password: string;
}

/**
 * Returns the owner that options name; null if they name none.
 * @throws WrongUse, Refused, PasswordRefused
 */
export function readOwner(options: SetupOptions, draft: Draft): Owner | null {
  const { ownerName, ownerEmail, ownerPasswordFile: file } = options;
  if (ownerName === undefined && ownerEmail === undefined && file === undefined) return null;
  if (ownerName === undefined || ownerEmail === undefined || file === undefined)
    throw new WrongUse('Use --owner-name, --owner-email and --owner-password-file together.');
  const name = readName('--owner-name', ownerName);
  const email = readEmail('--owner-email', ownerEmail);
  const password = firstLineOf(file);
  assertGoodPassword(password, [name, email, draft.config.accountName], false);
  return { name, email, password };
}

/** Asks for the owner; null if the setup link of the first start is to make one, or somebody can sign in already. */
export async function askOwner(terminal: Terminal, draft: Draft): Promise<Owner | null> {
  if (await isInUse(draft)) {
    process.stdout.write(`  The database is in use. Add people with: ${PROGRAM} people create\n`);
    return null;
  }
  const name = await terminal.until(async () => {
    const answer = await terminal.ask('Name of the first owner, or Enter for a link to set it up');
    return answer === '' ? null : readName('It', answer);
  });
  if (name === null) return null;
  const email = await terminal.until(async () =>
    readEmail('It', await terminal.ask('Their email address')),
  );
  const password = await terminal.until(async () => {
    const answer = await terminal.askSecretly('Their password, which is not shown');
    assertGoodPassword(answer, [name, email, draft.config.accountName], false);
    if (answer !== (await terminal.askSecretly('The password again')))
      throw new Refused('The two passwords differ.');
    return answer;
  });
  return { name, email, password };
}

/**
 * Migrates the database, and makes the owner there, in the first account.
 * @throws Refused when others can sign in already
 */
export async function makeOwner(owner: Owner, draft: Draft): Promise<void> {
  await withNewApp(
    async (app) => {
      const accounts = app.get(AccountsService);
      const people = app.get(PeopleService);
      const opened = await accounts.bootstrap();
      if (opened) process.stdout.write(tokenNotice(opened, draft.config.baseUrl));
      const present = await people.list();
      if (present.some(({ email }) => email === owner.email)) {
        process.stdout.write(`${owner.email} can sign in already.\n`);
        return;
      }
      if (present.length > 0)
        throw new Refused(
          `Other people can sign in already. Add ${owner.email} with: ${PROGRAM} people create`,
        );
      const [account] = await accounts.list();
      if (!account) throw new Refused('The database has no account.');
      const { password, ...details } = owner;
      const standing = { clientId: null, role: 'owner' } as const;
      const person = { ...details, timeZone: 'UTC' };
      await people.create(COMMAND_LINE, person, password, account.id, standing);
      await people.makeOperator(COMMAND_LINE, owner.email, true);
      if (account.email === null)
        await accounts.change(COMMAND_LINE, account.id, { email: owner.email });
      process.stdout.write(`${owner.email} can sign in as the owner of "${account.name}".\n`);
    },
    { ...draft.settings, MIGRATE: 'on' },
  );
}

/** Tells whether somebody is there, or an older version was, whose tables are left alone. */
async function isInUse(draft: Draft): Promise<boolean> {
  const { hasTables } = await tryDatabase(draft.config);
  if (!hasTables) return false;
  return withNewApp(
    async (app) => {
      if (await app.get(DatabaseStatus).hasPendingMigrations()) return true;
      return (await app.get(PeopleService).list()).length > 0;
    },
    { ...draft.settings, MIGRATE: 'off' },
  );
}

/** @throws Refused */
function firstLineOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? '';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refused(`--owner-password-file cannot be read: ${reason}.`);
  }
}
