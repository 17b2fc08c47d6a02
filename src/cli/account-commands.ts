import { Command } from 'commander';
import { AccountsService } from '../accounts/accounts.service.js';
import { readEmail } from './options.js';
import { print } from './print.js';
import { withApp } from './with-app.js';

/** `accounts create`, `accounts list` */
export function accountCommands(): Command {
  const accounts = new Command('accounts').description('Open accounts and list them.');
  accounts
    .command('create')
    .description('Open an account and print its first token, which is shown only now.')
    .requiredOption('--name <name>', 'name of the account')
    .option('--email <address>', 'where owner notifications go when a form names nobody')
    .option('--json', 'print JSON')
    .action(async ({ name, email, json }: { name: string; email?: string; json?: boolean }) => {
      const address = email === undefined ? null : readEmail('--email', email);
      await withApp(async (app) => {
        const { account, secret } = await app.get(AccountsService).open(name, address);
        print([{ id: account.id, name: account.name, email: account.email, token: secret }], {
          json,
        });
      });
    });
  accounts
    .command('list')
    .description('List the accounts, oldest first.')
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
