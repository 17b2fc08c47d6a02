import { Command } from 'commander';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { environment } from '../platform/config/load-config.js';
import { START_COMMAND } from '../platform/kernel/command-line.js';
import { Refused, WrongUse } from './command.js';
import {
  addressStep,
  backupStep,
  databaseStep,
  MailStep,
  type SetupOptions,
  type Step,
  withoutPassword,
} from './setup-steps.js';
import { Draft } from './setup-draft.js';
import { EnvFile } from './env-file.js';
import { askOwner, makeOwner, readOwner, type Owner } from './setup-owner.js';
import { Terminal } from './terminal.js';

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

async function setUp(options: SetupOptions): Promise<void> {
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
function openTerminal({ yes, ...answers }: SetupOptions): Terminal | null {
  if (yes) return null;
  if (!process.stdin.isTTY)
    throw new WrongUse('Setup asks questions at a terminal. Without one, add --yes and options.');
  if (Object.keys(answers).length > 0)
    throw new WrongUse('Options answer the questions in place of you. Add --yes.');
  return new Terminal();
}

/** Returns the draft with an answer that works: asked for until it does, or from the options. */
async function settled(
  step: Step,
  draft: Draft,
  file: EnvFile,
  options: SetupOptions,
  terminal: Terminal | null,
): Promise<Draft> {
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
async function write(file: EnvFile, draft: Draft, terminal: Terminal | null): Promise<void> {
  const changes = draft.changesOf(file.values);
  const replaced = [...changes].filter(([name]) => (file.values[name] ?? '') !== '');
  if (terminal && replaced.length > 0) {
    say(`\n${file.path} has other values:`);
    for (const [name, value] of replaced) {
      const former = withoutPassword(file.values[name] ?? '');
      say(`  ${name}: ${former} → ${value === null ? 'unset' : withoutPassword(value)}`);
    }
    if (!(await terminal.confirm('Replace them?', false)))
      throw new Refused('Canceled. Nothing was written.');
  }
  if (changes.size > 0) await file.write(changes);
  say(changes.size > 0 ? `\nWrote ${file.path}.` : `\n${file.path} stays as it is.`);
}

async function finish(owner: Owner | null, draft: Draft): Promise<void> {
  if (owner) await makeOwner(owner, draft);
  else say('Until somebody can sign in, each start prints a link to set up the first owner.');
  say(`Start the service with: ${START_COMMAND}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
