import { Command } from 'commander';
import { parseMoment } from '../platform/kernel/time/moment.js';
import { RIGHTS, type Right, COMMAND_LINE } from '../accounts/access/principal.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { TokensService } from '../accounts/tokens/tokens.service.js';
import { WrongUse, readId, readName, readEmail, withApp, withNewApp, print } from './command.js';

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
