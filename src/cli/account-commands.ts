import { Command } from 'commander';
import { COMMAND_LINE } from '../access/actor.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { WrongUse } from './kit/cli.errors.js';
import { readEmail, readId, readName } from './kit/options.js';
import { print } from './kit/print.js';
import { withApp, withNewApp } from './kit/with-app.js';

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
