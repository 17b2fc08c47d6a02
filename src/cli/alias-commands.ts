import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { Principal } from '../accounts/access/index.js';
import { AliasesService } from '../forms/aliases/aliases.service.js';
import { asProvider, PROVIDERS, type Provider } from '../forms/aliases/old-address.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { Refused, inApp, print, readerOf, type Printing } from './command.js';

const providerOf = readerOf(asProvider, `must be one of ${PROVIDERS.join(', ')}`);

interface Options extends Printing {
  form: string;
}

/** Returns the commands `aliases add`, `list`, `remove` and `free`. */
export function aliasCommands(): Command {
  const aliases = new Command('aliases').description('Have the ids of forms at another provider lead to forms here.');
  aliases
    .command('add')
    .argument('<provider>', '', providerOf('The provider'))
    .argument('<value>')
    .description(`Have an id lead to a form. Providers: ${PROVIDERS.join(', ')}.`)
    .requiredOption('--form <identifier>', 'identifier of the form')
    .option('--json', 'print JSON')
    .action(
      inApp(async (app, provider: Provider, value: string, options: Options) => {
        const principal = await ownerOf(app, options.form);
        const alias = await app.get(AliasesService).add(principal, options.form, provider, value);
        print([rowOf(alias)], options);
      }),
    );
  aliases
    .command('list')
    .description('List the ids that lead to a form, and when each was last used.')
    .requiredOption('--form <identifier>', 'identifier of the form')
    .option('--json', 'print JSON')
    .action(
      inApp(async (app, options: Options) => {
        const principal = await ownerOf(app, options.form);
        const aliases = await app.get(AliasesService).list(principal, options.form);
        print(aliases.map(rowOf), options);
      }),
    );
  aliases
    .command('remove <value>')
    .description('Have an id lead nowhere. Its account can use it again, and no other.')
    .requiredOption('--form <identifier>', 'identifier of the form')
    .action(
      inApp(async (app, value: string, { form }: Options) => {
        const principal = await ownerOf(app, form);
        const aliases = await app.get(AliasesService).list(principal, form);
        const alias = aliases.find((each) => each.value === value);
        if (!alias) throw new Refused(`${value} does not lead to this form.`);
        await app.get(AliasesService).remove(principal, form, alias.id);
        process.stdout.write('Removed.\n');
      }),
    );
  aliases
    .command('free <value>')
    .description('Forget an id, so that any account can use it.')
    .action(
      inApp(async (app, value: string) => {
        if (!(await app.get(AliasesService).free(value))) throw new Refused(`${value} is not known.`);
        process.stdout.write('Free.\n');
      }),
    );
  return aliases;
}

/** Returns the operator as who may change a form. @throws FormNotFound */
async function ownerOf(app: INestApplicationContext, identifier: string) {
  const { accountId } = await app.get(FormQueries).findPublicCached(identifier);
  return Principal.operator(accountId);
}

function rowOf(alias: Awaited<ReturnType<AliasesService['add']>>) {
  const { id, provider, value, lastUsedAt, lastPage } = alias;
  return { id, provider, value, last_used_at: lastUsedAt, last_page: lastPage };
}
