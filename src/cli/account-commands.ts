import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { parseMoment } from '../platform/index.js';
import { RIGHTS, COMMAND_LINE, type Right } from '../accounts/access/index.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { UnitOfWork } from '../platform/database/index.js';
import { TokensService } from '../accounts/tokens/tokens.service.js';
import {
  emailOf,
  idOf,
  inApp,
  nameOf,
  print,
  readerOf,
  WrongUse,
  withApp,
  withNewApp,
  type Printing,
} from './command.js';

const rightsOf = readerOf(
  (text): Right[] | null => {
    const names = text.split(',').map((name) => name.trim());
    const rights = RIGHTS.filter((right) => names.includes(right));
    return rights.length < new Set(names).size ? null : rights;
  },
  `must be a comma-separated list of ${RIGHTS.join(', ')}`,
);

/** Reads a date by the same rule as the API. */
const dateOf = readerOf((text) => {
  const moment = parseMoment(text);
  return moment === null ? null : new Date(moment);
}, 'must be a date such as 2030-01-31 or 2030-01-31T12:00:00Z');

const NAME = ['--name <name>', 'name of the account', nameOf('--name')] as const;
const RECIPIENT = ['--email <address>', 'default recipient of emails about submissions', emailOf('--email')] as const;
const ACCOUNT = ['--account <id>', 'id of the account', idOf('--account')] as const;

interface AccountOptions extends Printing {
  name?: string;
  email?: string;
}

/** Returns the commands `accounts create`, `change` and `list`. */
export function accountCommands(): Command {
  const accounts = new Command('accounts').description('Create, change and list accounts.');
  accounts
    .command('create')
    .description('Create an account and print its first API token, which is shown only once.')
    .requiredOption(...NAME)
    .option(...RECIPIENT)
    .option('--json', 'print JSON')
    .action((options: AccountOptions & { name: string }) =>
      withNewApp(async (app) => {
        const accounts = app.get(AccountsService);
        const { account, secret } = await accounts.open(options.name, options.email ?? null);
        const { id, name, email } = account;
        print([{ id, name, email, token: secret }], options);
      }),
    );
  accounts
    .command('change')
    .argument('<id>', '', idOf('id'))
    .description('Change the name or the default recipient of an account.')
    .option(...NAME)
    .option(...RECIPIENT)
    .option('--json', 'print JSON')
    .action((accountId: number, { json, ...details }: AccountOptions) => {
      if (Object.keys(details).length === 0) throw new WrongUse('Use --name, --email or both.');
      return withApp(async (app) => {
        const accounts = app.get(AccountsService);
        const { id, name, email } = await accounts.change(COMMAND_LINE, accountId, details);
        print([{ id, name, email }], { json });
      });
    });
  accounts
    .command('list')
    .description('List accounts, oldest first.')
    .option('--json', 'print JSON')
    .action(
      inApp(async (app, printing: Printing) => {
        const rows = (await app.get(AccountsService).list()).map(({ id, name, email, createdAt }) => ({
          id,
          name,
          email,
          created_at: createdAt,
        }));
        print(rows, printing);
      }),
    );
  return accounts;
}

interface TokenOptions extends Printing {
  account: number;
}

interface NewTokenOptions extends TokenOptions {
  name: string;
  rights?: Right[];
  expires?: Date;
}

/** Returns the commands `tokens create`, `list` and `revoke`. */
export function tokenCommands(): Command {
  const tokens = new Command('tokens').description('Create, list and revoke API tokens.');
  tokens
    .command('create')
    .description('Create an API token and print it. It is shown only once.')
    .requiredOption(...ACCOUNT)
    .requiredOption('--name <name>', 'name of the token', nameOf('--name'))
    .option(
      '--rights <list>',
      'comma-separated rights, such as forms:read,submissions:read (default: all)',
      rightsOf('--rights'),
    )
    .option('--expires <date>', 'expiry date (default: never)', dateOf('--expires'))
    .option('--json', 'print JSON')
    .action(inApp(create));
  tokens
    .command('list')
    .description('List the API tokens of an account, without their secrets.')
    .requiredOption(...ACCOUNT)
    .option('--json', 'print JSON')
    .action(inApp(list));
  tokens
    .command('revoke')
    .argument('<id>', '', idOf('id'))
    .description('Revoke an API token. Requests with it fail immediately.')
    .requiredOption(...ACCOUNT)
    .action(
      inApp(async (app, id: number, { account: accountId }: TokenOptions) => {
        await app.get(TokensService).revoke(COMMAND_LINE, { accountId, clientId: null }, id);
        process.stdout.write('Revoked.\n');
      }),
    );
  return tokens;
}

async function create(app: INestApplicationContext, options: NewTokenOptions) {
  const { name, rights = [], expires: expiresAt = null } = options;
  const account = await app.get(AccountsService).get(options.account);
  const terms = { name, rights, expiresAt, clientId: null };
  const { token, secret } = await app
    .get(UnitOfWork)
    .run((tx) => app.get(TokensService).issue(tx, COMMAND_LINE, account.id, terms));
  print([{ id: token.id, name: token.name, token: secret }], options);
}

async function list(app: INestApplicationContext, options: TokenOptions) {
  const { id: accountId } = await app.get(AccountsService).get(options.account);
  const tokens = await app.get(TokensService).list({ accountId, clientId: null });
  const rows = tokens.map(({ id, name, clientId, rights, expiresAt, lastUsedAt }) => ({
    ...{ id, name, client_id: clientId, rights: options.json ? rights : rights.join(',') },
    ...{ expires_at: expiresAt, last_used_at: lastUsedAt },
  }));
  print(rows, options);
}
