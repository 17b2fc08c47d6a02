import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { COMMAND_LINE } from '../accounts/access/index.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { PeopleService } from '../people/members/members.service.js';
import { assertGoodPassword } from '../people/person/passwords.js';
import { tryDatabase, DatabaseStatus } from '../platform/database/index.js';
import { COMMAND_LINE as PROGRAM, START_COMMAND, environment } from '../platform/index.js';
import { tokenNotice } from '../start-banner.js';
import { Refused, WrongUse, emailOf, nameOf, withNewApp, Terminal } from './command.js';
import { Draft } from './setup-draft.js';
import {
  type SetupOptions,
  addressStep,
  backupStep,
  databaseStep,
  MailStep,
  type Step,
  withoutPassword,
} from './setup-steps.js';
import { EnvFile } from './operator-commands.js';

/** The person who is to own the first account. */
interface Owner {
  name: string;
  email: string;
  password: string;
}

/**
 * Returns the owner that options name; null if they name none.
 * @throws WrongUse, Refused, PasswordRefused
 */
function readOwner(options: SetupOptions, draft: Draft): Owner | null {
  const { ownerName, ownerEmail, ownerPasswordFile: file } = options;
  if (ownerName === undefined && ownerEmail === undefined && file === undefined) return null;
  if (ownerName === undefined || ownerEmail === undefined || file === undefined)
    throw new WrongUse('Use --owner-name, --owner-email and --owner-password-file together.');
  const name = nameOf('--owner-name')(ownerName);
  const email = emailOf('--owner-email')(ownerEmail);
  const password = firstLineOf(file);
  assertGoodPassword(password, [name, email, draft.config.accountName], false);
  return { name, email, password };
}

/** Asks for the owner; null if the setup link of the first start is to make one, or somebody can sign in already. */
async function askOwner(terminal: Terminal, draft: Draft): Promise<Owner | null> {
  if (await isInUse(draft)) {
    process.stdout.write(`  The database is in use. Add people with: ${PROGRAM} people create\n`);
    return null;
  }
  const name = await terminal.until(async () => {
    const answer = await terminal.ask('Name of the first owner, or Enter for a link to set it up');
    return answer === '' ? null : nameOf('It')(answer);
  });
  if (name === null) return null;
  const email = await terminal.until(async () => emailOf('It')(await terminal.ask('Their email address')));
  const password = await terminal.until(async () => {
    const answer = await terminal.askSecretly('Their password, which is not shown');
    assertGoodPassword(answer, [name, email, draft.config.accountName], false);
    if (answer !== (await terminal.askSecretly('The password again'))) throw new Refused('The two passwords differ.');
    return answer;
  });
  return { name, email, password };
}

/**
 * Migrates the database, and makes the owner there, in the first account.
 * @throws Refused when others can sign in already
 */
async function makeOwner(owner: Owner, draft: Draft) {
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
        throw new Refused(`Other people can sign in already. Add ${owner.email} with: ${PROGRAM} people create`);
      const [account] = await accounts.list();
      if (!account) throw new Refused('The database has no account.');
      const { password, ...details } = owner;
      const standing = { clientId: null, role: 'owner' } as const;
      const person = { ...details, timeZone: 'UTC' };
      await people.create(COMMAND_LINE, person, password, account.id, standing);
      await people.makeOperator(COMMAND_LINE, owner.email, true);
      if (account.email === null) await accounts.change(COMMAND_LINE, account.id, { email: owner.email });
      process.stdout.write(`${owner.email} can sign in as the owner of "${account.name}".\n`);
    },
    { ...draft.settings, MIGRATE: 'on' },
  );
}

/** Tells whether somebody is there, or an older version was, whose tables are left alone. */
async function isInUse(draft: Draft) {
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
function firstLineOf(file: string) {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? '';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refused(`--owner-password-file cannot be read: ${reason}.`);
  }
}

/** Returns the command `setup`. */
export function setupCommand(): Command {
  return new Command('setup')
    .description(
      'Ask for address, database, email, first owner and backups, try each answer, and write .env in this folder.',
    )
    .option('--yes', 'ask nothing: take the options, then .env, then the defaults')
    .option('--base-url <url>', 'address of the service, such as https://forms.example.com')
    .option('--no-base-url', 'unset BASE_URL')
    .option('--proxy', 'a proxy answers there: trust one, and listen on this machine only')
    .option('--no-proxy', 'the service answers there itself, for https with its own certificate')
    .option('--database-url <url>', 'database server, such as mysql://user:password@host/name')
    .option('--no-database-url', 'use the embedded database')
    .option('--smtp-url <url>', 'mail server, such as smtp://user:password@host:587')
    .option('--no-smtp-url', 'write emails to files')
    .option('--mail-from <address>', 'sender of emails')
    .option('--no-mail-from', 'unset MAIL_FROM')
    .option('--test-email <address>', 'send a test email to this address')
    .option('--owner-name <name>', 'name of the first owner')
    .option('--owner-email <address>', 'their email address')
    .option('--owner-password-file <file>', 'file whose first line is their password')
    .option('--backup-dir <folder>', 'folder for backups')
    .option('--no-backup-dir', 'use the folder backups in DATA_DIR')
    .option('--backup-schedule <times>', 'times of the day in UTC, such as 03:00,15:00, or off')
    .option('--no-backup-schedule', 'unset BACKUP_SCHEDULE')
    .option('--backup-command <command>', 'shell command after each backup, "$BACKUP_FILE"')
    .option('--no-backup-command', 'run no command after a backup')
    .action(setUp);
}

async function setUp(options: SetupOptions) {
  const terminal = openTerminal(options);
  try {
    const file = new EnvFile();
    await access(dirname(file.path), constants.W_OK).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      throw new Refused(`${file.path} cannot be written (${code}). Call setup in another folder.`);
    });
    let draft = Draft.begin(environment(), file.values);
    for (const problem of terminal ? draft.problems : []) say(`In .env, ${problem}`);
    const settle = async (step: Step) => {
      draft = await settled(step, draft, file, options, terminal);
    };

    await settle(addressStep);
    await settle(databaseStep);
    await settle(new MailStep());
    const owner = terminal ? await askForOwner(terminal, draft) : readOwner(options, draft);
    await settle(backupStep);

    if (!terminal && draft.problems.length > 0) throw new Refused(draft.problems.join('\n'));
    await write(file, draft, terminal);
    terminal?.close();
    await finish(owner, draft);
  } finally {
    terminal?.close();
  }
}

/**
 * Returns the terminal to ask at; null when the options have the answers.
 * @throws WrongUse
 */
function openTerminal({ yes, ...answers }: SetupOptions) {
  if (yes) return null;
  if (!process.stdin.isTTY)
    throw new WrongUse('Setup asks questions at a terminal. Without one, add --yes and options.');
  if (Object.keys(answers).length > 0) throw new WrongUse('Options answer the questions in place of you. Add --yes.');
  return new Terminal();
}

/** Returns the draft with an answer that works: asked for until it does, or from the options. */
async function settled(step: Step, draft: Draft, file: EnvFile, options: SetupOptions, terminal: Terminal | null) {
  if (terminal) say(`\n${step.title}`);
  const attempt = async () => {
    const change = terminal ? await step.ask(terminal, draft) : step.read(options, draft);
    const next = draft.with(change);
    file.changed(next.changesOf(file.values));
    say(`${terminal ? '  ' : `${step.title}: `}${await step.attempt(next)}`);
    return next;
  };
  return terminal ? terminal.until(attempt) : attempt();
}

function askForOwner(terminal: Terminal, draft: Draft): Promise<Owner | null> {
  say('\nFirst owner');
  return terminal.until(() => askOwner(terminal, draft));
}

/** Writes `.env`, if something is new; a person is asked before a value is replaced. @throws Refused */
async function write(file: EnvFile, draft: Draft, terminal: Terminal | null) {
  const changes = draft.changesOf(file.values);
  const replaced = [...changes].filter(([name]) => (file.values[name] ?? '') !== '');
  if (terminal && replaced.length > 0) {
    say(`\n${file.path} has other values:`);
    for (const [name, value] of replaced) {
      const former = withoutPassword(file.values[name] ?? '');
      say(`  ${name}: ${former} → ${value === null ? 'unset' : withoutPassword(value)}`);
    }
    if (!(await terminal.confirm('Replace them?', false))) throw new Refused('Canceled. Nothing was written.');
  }
  if (changes.size > 0) await file.write(changes);
  say(changes.size > 0 ? `\nWrote ${file.path}.` : `\n${file.path} stays as it is.`);
}

async function finish(owner: Owner | null, draft: Draft) {
  if (owner) await makeOwner(owner, draft);
  else say('Until somebody can sign in, each start prints a link to set up the first owner.');
  say(`Start the service with: ${START_COMMAND}`);
}

function say(text: string) {
  process.stdout.write(`${text}\n`);
}
