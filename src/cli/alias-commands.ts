import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { Principal } from '../accounts/access/principal.js';
import { AliasesService } from '../forms/aliases/aliases.service.js';
import { asProvider, PROVIDERS, type Provider } from '../forms/aliases/old-address.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { Refused, WrongUse, print, withApp } from './command.js';

interface Options {
  form: string;
  json?: boolean;
}

/** Returns the commands `aliases add`, `list`, `remove` and `free`. */
export function aliasCommands(): Command {
  const aliases = new Command('aliases').description(
    'Have the ids of forms at another provider lead to forms here.',
  );
  aliases
    .command('add <provider> <value>')
    .description(`Have an id lead to a form. Providers: ${PROVIDERS.join(', ')}.`)
    .requiredOption('--form <identifier>', 'identifier of the form')
    .option('--json', 'print JSON')
    .action(add);
  aliases
    .command('list')
    .description('List the ids that lead to a form, and when each was last used.')
    .requiredOption('--form <identifier>', 'identifier of the form')
    .option('--json', 'print JSON')
    .action(list);
  aliases
    .command('remove <value>')
    .description('Have an id lead nowhere. Its account can use it again, and no other.')
    .requiredOption('--form <identifier>', 'identifier of the form')
    .action(remove);
  aliases
    .command('free <value>')
    .description('Forget an id, so that any account can use it.')
    .action(free);
  return aliases;
}

async function add(name: string, value: string, options: Options): Promise<void> {
  const provider = readProvider(name);
  await withApp(async (app) => {
    const principal = await ownerOf(app, options.form);
    const alias = await app.get(AliasesService).add(principal, options.form, provider, value);
    print([rowOf(alias)], options);
  });
}

async function list(options: Options): Promise<void> {
  await withApp(async (app) => {
    const principal = await ownerOf(app, options.form);
    const aliases = await app.get(AliasesService).list(principal, options.form);
    print(aliases.map(rowOf), options);
  });
}

async function remove(value: string, { form }: Options): Promise<void> {
  await withApp(async (app) => {
    const principal = await ownerOf(app, form);
    const aliases = await app.get(AliasesService).list(principal, form);
    const alias = aliases.find((each) => each.value === value);
    if (!alias) throw new Refused(`${value} does not lead to this form.`);
    await app.get(AliasesService).remove(principal, form, alias.id);
  });
  process.stdout.write('Removed.\n');
}

async function free(value: string): Promise<void> {
  await withApp(async (app) => {
    if (!(await app.get(AliasesService).free(value))) throw new Refused(`${value} is not known.`);
  });
  process.stdout.write('Free.\n');
}

/** Returns the operator as who may change a form. @throws FormNotFound */
async function ownerOf(app: INestApplicationContext, identifier: string): Promise<Principal> {
  const { accountId } = await app.get(FormQueries).findPublicCached(identifier);
  return Principal.operator(accountId);
}

function rowOf(alias: Awaited<ReturnType<AliasesService['add']>>) {
  const { id, provider, value, lastUsedAt, lastPage } = alias;
  return { id, provider, value, last_used_at: lastUsedAt, last_page: lastPage };
}

/** @throws WrongUse */
function readProvider(name: string): Provider {
  const provider = asProvider(name);
  if (!provider) throw new WrongUse(`The provider must be one of ${PROVIDERS.join(', ')}.`);
  return provider;
}
