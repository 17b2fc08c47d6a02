import { Command } from 'commander';
import { text } from 'node:stream/consumers';
import { COMMAND_LINE, Principal, ROLES, type Role } from '../accounts/access/principal.js';
import { Config } from '../platform/config/config.js';
import { InvitationsService } from '../people/invitations/invitations.service.js';
import { PeopleService } from '../people/members/members.service.js';
import { SetupService } from '../people/setup/setup.service.js';
import { parseTimeZone } from '../platform/kernel/time.js';
import { WrongUse, readEmail, readId, readName, print, withApp } from './command.js';

const FIRST_ACCOUNT = '1';

interface CreateOptions {
  email: string;
  name: string;
  role: string;
  account: string;
  timeZone: string;
  passwordStdin?: boolean;
  json?: boolean;
}

interface InviteOptions {
  email: string;
  name: string;
  role: string;
  account: string;
  send?: boolean;
  json?: boolean;
}

/** Returns the commands `people create`, `invite`, `list`, `disable`, `enable`, `operator` and `setup-link`. */
export function peopleCommands(): Command {
  const people = new Command('people').description('Manage the people who sign in.');
  people
    .command('create')
    .description('Add a person who signs in with a password.')
    .requiredOption('--email <address>', 'their email address')
    .requiredOption('--name <name>', 'their name')
    .requiredOption('--role <role>', `their role in the account: ${ROLES.join(', ')}`)
    .option('--account <id>', 'id of the account', FIRST_ACCOUNT)
    .option('--time-zone <name>', 'their time zone, such as Europe/Berlin', 'UTC')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .option('--json', 'print JSON')
    .action(create);
  people
    .command('invite')
    .description('Invite a person to an account and print the invitation link.')
    .requiredOption('--email <address>', 'their email address')
    .requiredOption('--name <name>', 'their name')
    .requiredOption('--role <role>', `their role in the account: ${ROLES.join(', ')}`)
    .option('--account <id>', 'id of the account', FIRST_ACCOUNT)
    .option('--send', 'email the link instead of printing it')
    .option('--json', 'print JSON')
    .action(invite);
  people
    .command('list')
    .description('List people, oldest first.')
    .option('--json', 'print JSON')
    .action(list);
  people
    .command('disable')
    .description('Suspend a person in all accounts and end their sessions.')
    .requiredOption('--email <address>', 'their email address')
    .action((options: { email: string }) => disable(options, true));
  people
    .command('enable')
    .description('Lift the suspension of a person.')
    .requiredOption('--email <address>', 'their email address')
    .action((options: { email: string }) => disable(options, false));
  people
    .command('operator')
    .description(
      'Grant or revoke operator access, which shows the status and log of the whole service.',
    )
    .requiredOption('--email <address>', 'their email address')
    .option('--on', 'grant access')
    .option('--off', 'revoke access')
    .action(operator);
  people
    .command('setup-link')
    .description(
      'Print a link that sets up an owner, for a new account or an owner who is locked out. It works once, within an hour.',
    )
    .option('--account <id>', 'id of the account', FIRST_ACCOUNT)
    .action(setupLink);
  return people;
}

async function create(options: CreateOptions): Promise<void> {
  const email = readEmail('--email', options.email);
  const name = readName('--name', options.name);
  const role = readRole(options.role);
  const accountId = readId('--account', options.account);
  if (!options.passwordStdin)
    throw new WrongUse('Add --password-stdin and pipe the password to standard input.');
  const [password = ''] = (await text(process.stdin)).split(/\r?\n/);
  const details = { email, name, timeZone: readTimeZone(options.timeZone) };
  await withApp(async (app) => {
    const standing = { clientId: null, role };
    const { person } = await app
      .get(PeopleService)
      .create(COMMAND_LINE, details, password, accountId, standing);
    const { id, timeZone: time_zone } = person;
    print([{ id, email: person.email, name: person.name, role, time_zone }], options);
  });
}

async function invite(options: InviteOptions): Promise<void> {
  const email = readEmail('--email', options.email);
  const name = readName('--name', options.name);
  const role = readRole(options.role);
  const accountId = readId('--account', options.account);
  await withApp(async (app) => {
    const isMailed = options.send === true;
    const { link } = await app
      .get(InvitationsService)
      .invite(Principal.operator(accountId), { email, name }, { clientId: null, role }, isMailed);
    if (options.json) print([{ email, name, role, link }], options);
    else process.stdout.write(link === null ? 'Invitation sent.\n' : `${link}\n`);
  });
}

async function list(options: { json?: boolean }): Promise<void> {
  await withApp(async (app) => {
    const people = await app.get(PeopleService).list();
    print(
      people.map(({ id, email, name, isOperator, disabledAt, createdAt }) => ({
        id,
        email,
        name,
        operator: isOperator,
        disabled_at: disabledAt,
        created_at: createdAt,
      })),
      options,
    );
  });
}

async function disable(options: { email: string }, isDisabled: boolean): Promise<void> {
  const email = readEmail('--email', options.email);
  await withApp((app) => app.get(PeopleService).disable(COMMAND_LINE, email, isDisabled));
  process.stdout.write(isDisabled ? 'Suspended.\n' : 'Suspension lifted.\n');
}

async function operator(options: { email: string; on?: boolean; off?: boolean }): Promise<void> {
  const email = readEmail('--email', options.email);
  if (options.on === options.off) throw new WrongUse('Give either --on or --off.');
  const isOperator = options.on === true;
  await withApp((app) => app.get(PeopleService).makeOperator(COMMAND_LINE, email, isOperator));
  process.stdout.write(isOperator ? 'Operator access granted.\n' : 'Operator access revoked.\n');
}

async function setupLink(options: { account: string }): Promise<void> {
  const accountId = readId('--account', options.account);
  await withApp(async (app) => {
    const code = await app.get(SetupService).issueFor(accountId);
    process.stdout.write(`${app.get(Config).baseUrl}/setup#${code}\n`);
  });
}

/** @throws WrongUse */
function readRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (!role) throw new WrongUse(`--role must be one of ${ROLES.join(', ')}.`);
  return role;
}

/** @throws WrongUse */
function readTimeZone(text: string): string {
  const name = parseTimeZone(text);
  if (name === null) throw new WrongUse('--time-zone must be a name such as Europe/Berlin.');
  return name;
}
