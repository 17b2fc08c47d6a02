import { Command } from 'commander';
import { COMMAND_LINE } from '../access/actor.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { TokensService } from '../tokens/tokens.service.js';
import { readDate, readId, readName, readRights } from './options.js';
import { print } from './print.js';
import { withApp } from './with-app.js';

interface CreateOptions {
  account: string;
  name: string;
  rights?: string;
  expires?: string;
  json?: boolean;
}

/** Returns the commands `tokens create`, `list` and `revoke`. */
export function tokenCommands(): Command {
  const tokens = new Command('tokens').description('Issue, list and revoke access tokens.');
  tokens
    .command('create')
    .description('Issue a token and print it; it is shown only now.')
    .requiredOption('--account <id>', 'the account it acts for')
    .requiredOption('--name <name>', 'what it is for')
    .option(
      '--rights <list>',
      'comma-separated, such as forms:read,submissions:read; all if left out',
    )
    .option('--expires <date>', 'when it stops working; never if left out')
    .option('--json', 'print JSON')
    .action(create);
  tokens
    .command('list')
    .description('List the tokens of an account, without their secrets.')
    .requiredOption('--account <id>', 'the account')
    .option('--json', 'print JSON')
    .action(list);
  tokens
    .command('revoke <id>')
    .description('Revoke a token: it fails on the next request.')
    .requiredOption('--account <id>', 'the account it belongs to')
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
