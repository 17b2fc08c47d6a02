import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { DomainError } from '../platform/kernel/errors.js';
import { explainFailure } from '../start-failure.js';
import { parseMoment } from '../platform/kernel/time/moment.js';
import { parseEmailAddress } from '../platform/kernel/text/email-address.js';
import { NAME_RULE, parseName } from '../platform/kernel/text/name.js';
import { RIGHTS, type Right, COMMAND_LINE } from '../access/principal.js';
import { AppModule } from '../app.module.js';
import { loadConfig } from '../platform/config/load-config.js';
import { JsonLogger } from '../platform/logging/json-logger.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { TokensService } from '../tokens/tokens.service.js';

/** The words of a command are wrong; exit code 2. */
export class WrongUse extends Error {}

/** A check failed, or the command was refused; exit code 1. */
export class Refused extends Error {}

/** It may work later; a mail server keeps what it has and tries again. */
export class TryLater extends Error {}

/** Returns what failed, and what to do about it, in sentences for the operator. */
export function reasonOf(error: unknown): string {
  const isKnown = [DomainError, WrongUse, Refused, TryLater].some((kind) => error instanceof kind);
  return isKnown ? (error as Error).message : explainFailure(error, null, 'The command failed');
}

/** @throws WrongUse */
export function readId(option: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new WrongUse(`${option} must be a whole number of at least 1.`);
  return Number(text);
}

/** @throws WrongUse */
export function readName(option: string, text: string): string {
  const name = parseName(text);
  if (name === null) throw new WrongUse(`${option} ${NAME_RULE}.`);
  return name;
}

/** @throws WrongUse */
export function readEmail(option: string, text: string): string {
  const address = parseEmailAddress(text);
  if (address === null) throw new WrongUse(`${option} must be an email address.`);
  return address;
}

/** @throws WrongUse */
function readRights(option: string, text: string): Right[] {
  const names = text.split(',').map((name) => name.trim());
  const rights = RIGHTS.filter((right) => names.includes(right));
  if (rights.length < new Set(names).size) {
    throw new WrongUse(`${option} must be a comma-separated list of ${RIGHTS.join(', ')}.`);
  }
  return rights;
}

/**
 * Reads a date by the same rule as the API.
 * @throws WrongUse
 */
function readDate(option: string, text: string): Date {
  const moment = parseMoment(text);
  if (moment === null) {
    throw new WrongUse(`${option} must be a date such as 2030-01-31 or 2030-01-31T12:00:00Z.`);
  }
  return new Date(moment);
}

/**
 * Runs `work` on the database that the service has, and makes none: a folder without one is a wrong `DATA_DIR`.
 * @param overrides settings for this call, over those of the environment
 * @throws Refused where there is no database
 */
export async function withApp<T>(
  work: (app: INestApplicationContext) => Promise<T>,
  overrides: Record<string, string> = {},
): Promise<T> {
  const { database, dataDir } = loadConfig(overrides);
  if (database.kind === 'embedded') {
    const folder = resolve(dataDir);
    if (!existsSync(database.file))
      throw new Refused(
        `No database in ${folder}. Set DATA_DIR to the data folder of the service, or DATABASE_URL to its database server.`,
      );
    if (process.stderr.isTTY) process.stderr.write(`Database in ${folder}\n`);
  }
  return withNewApp(work, overrides);
}

/**
 * Runs `work` with the service's modules, and closes them again. No port is opened, no delivery is sent, and
 * only errors are logged, to stderr. A database that is not there is made.
 * @param overrides settings for this call, over those of the environment
 */
export async function withNewApp<T>(
  work: (app: INestApplicationContext) => Promise<T>,
  overrides: Record<string, string> = {},
): Promise<T> {
  const config = loadConfig({ WORKERS: 'off', METRICS_PORT: '', ...overrides });
  const app = await NestFactory.createApplicationContext(AppModule.with(config), {
    logger: new JsonLogger('error', process.stderr),
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/**
 * Prints a result: one JSON document with `json`, else a table of the same rows with aligned columns.
 */
export function print(rows: Record<string, unknown>[], { json = false }: { json?: boolean }): void {
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : table(rows));
}

function table(rows: Record<string, unknown>[]): string {
  const [first] = rows;
  if (!first) return 'None.\n';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the commands `accounts create`, `change` and `list`. */
export function accountCommands(): Command {
  const accounts = new Command('accounts').description('Create, change and list accounts.');
  accounts
    .command('create')
    .description('Create an account and print its first API token, which is shown only once.')
    .requiredOption('--name <name>', 'name of the account')
    .option('--email <address>', 'default recipient of emails about submissions')
    .option('--json', 'print JSON')
    .action(async ({ name, email, json }: { name: string; email?: string; json?: boolean }) => {
      const called = readName('--name', name);
      const address = email === undefined ? null : readEmail('--email', email);
      await withNewApp(async (app) => {
        const { account, secret } = await app.get(AccountsService).open(called, address);
        print([{ id: account.id, name: account.name, email: account.email, token: secret }], {
          json,
        });
      });
    });
  accounts
    .command('change <id>')
    .description('Change the name or the default recipient of an account.')
    .option('--name <name>', 'name of the account')
    .option('--email <address>', 'default recipient of emails about submissions')
    .option('--json', 'print JSON')
    .action(change);
  accounts
    .command('list')
    .description('List accounts, oldest first.')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      await withApp(async (app) => {
        const rows = await app.get(AccountsService).list();
        print(
          rows.map(({ id, name, email, createdAt }) => ({
            id,
            name,
            email,
            created_at: createdAt,
          })),
          options,
        );
      });
    });
  return accounts;
}

async function change(
  text: string,
  options: { name?: string; email?: string; json?: boolean },
): Promise<void> {
  const accountId = readId('id', text);
  const { name, email } = options;
  if (name === undefined && email === undefined) {
    throw new WrongUse('Use --name, --email or both.');
  }
  const details = {
    ...(name !== undefined && { name: readName('--name', name) }),
    ...(email !== undefined && { email: readEmail('--email', email) }),
  };
  await withApp(async (app) => {
    const account = await app.get(AccountsService).change(COMMAND_LINE, accountId, details);
    print([{ id: account.id, name: account.name, email: account.email }], options);
  });
}

interface CreateOptions {
  account: string;
  name: string;
  rights?: string;
  expires?: string;
  json?: boolean;
}

/** Returns the commands `tokens create`, `list` and `revoke`. */
export function tokenCommands(): Command {
  const tokens = new Command('tokens').description('Create, list and revoke API tokens.');
  tokens
    .command('create')
    .description('Create an API token and print it. It is shown only once.')
    .requiredOption('--account <id>', 'id of the account')
    .requiredOption('--name <name>', 'name of the token')
    .option(
      '--rights <list>',
      'comma-separated rights, such as forms:read,submissions:read (default: all)',
    )
    .option('--expires <date>', 'expiry date (default: never)')
    .option('--json', 'print JSON')
    .action(create);
  tokens
    .command('list')
    .description('List the API tokens of an account, without their secrets.')
    .requiredOption('--account <id>', 'id of the account')
    .option('--json', 'print JSON')
    .action(list);
  tokens
    .command('revoke <id>')
    .description('Revoke an API token. Requests with it fail immediately.')
    .requiredOption('--account <id>', 'id of the account')
    .action(revoke);
  return tokens;
}

async function create(options: CreateOptions): Promise<void> {
  const accountId = readId('--account', options.account);
  const rights = options.rights === undefined ? [] : readRights('--rights', options.rights);
  const expiresAt = options.expires === undefined ? null : readDate('--expires', options.expires);
  const name = readName('--name', options.name);
  const terms = { name, rights, expiresAt, clientId: null };
  await withApp(async (app) => {
    const account = await app.get(AccountsService).get(accountId);
    const { token, secret } = await app
      .get(UnitOfWork)
      .run((tx) => app.get(TokensService).issue(tx, COMMAND_LINE, account.id, terms));
    print([{ id: token.id, name: token.name, token: secret }], options);
  });
}

async function list(options: { account: string; json?: boolean }): Promise<void> {
  const accountId = readId('--account', options.account);
  await withApp(async (app) => {
    const account = await app.get(AccountsService).get(accountId);
    const tokens = await app.get(TokensService).list({ accountId: account.id, clientId: null });
    print(
      tokens.map((token) => ({
        id: token.id,
        name: token.name,
        client_id: token.clientId,
        rights: options.json ? token.rights : token.rights.join(','),
        expires_at: token.expiresAt,
        last_used_at: token.lastUsedAt,
      })),
      options,
    );
  });
}

async function revoke(text: string, options: { account: string }): Promise<void> {
  const id = readId('id', text);
  const accountId = readId('--account', options.account);
  await withApp((app) =>
    app.get(TokensService).revoke(COMMAND_LINE, { accountId, clientId: null }, id),
  );
  process.stdout.write('Revoked.\n');
}

/** The person ended the questions. */
class Canceled extends Refused {}

/** Asks a person at the terminal. */
export class Terminal {
  private isSilent = false;
  private readonly lines: Interface;
  private readonly closed: Promise<unknown>;

  constructor() {
    const output = new Writable({
      write: (text: Buffer, _, done) => {
        if (!this.isSilent) process.stdout.write(text);
        done();
      },
    });
    Object.defineProperty(output, 'columns', { get: () => process.stdout.columns });
    this.lines = createInterface({
      input: process.stdin,
      output,
      terminal: true,
      historySize: 0, // it would show passwords again
    });
    this.closed = once(this.lines, 'close');
  }

  /**
   * Returns what is typed, or the proposal if that is nothing.
   * @throws Canceled on Ctrl+C and Ctrl+D
   */
  async ask(question: string, proposal = ''): Promise<string> {
    const shown = proposal === '' ? '' : ` [${proposal}]`;
    return (await this.read(`${question}${shown}: `)).trim() || proposal;
  }

  /** Returns what is typed, which is not shown. @throws Canceled */
  async askSecretly(question: string): Promise<string> {
    process.stdout.write(`${question}: `);
    this.isSilent = true;
    try {
      return await this.read('');
    } finally {
      this.isSilent = false;
      process.stdout.write('\n');
    }
  }

  /** @throws Canceled */
  async confirm(question: string, proposal: boolean): Promise<boolean> {
    for (;;) {
      const answer = await this.ask(`${question} [${proposal ? 'Y/n' : 'y/N'}]`);
      if (answer === '') return proposal;
      if (/^y(?:es)?$/i.test(answer)) return true;
      if (/^no?$/i.test(answer)) return false;
      process.stdout.write('Answer y or n.\n');
    }
  }

  /** Repeats what asks until it succeeds, and says each time why it does not. @throws Canceled */
  async until<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof Canceled) throw error;
        process.stdout.write(`  ${reasonOf(error)}\n`);
      }
    }
  }

  close(): void {
    this.lines.close();
  }

  /** Resolves with a line. A question that is pending when the terminal is closed is rejected by Ctrl+C alone. */
  private async read(prompt: string): Promise<string> {
    const answer = this.lines.question(prompt).catch(() => null);
    const line = await Promise.race([answer, this.closed]);
    if (typeof line === 'string') return line;
    throw new Canceled('\nCanceled. Nothing was written.');
  }
}
