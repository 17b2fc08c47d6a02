import type { INestApplicationContext } from '@nestjs/common';
import { Command, Option } from 'commander';
import { text } from 'node:stream/consumers';
import { COMMAND_LINE, Principal, ROLES, type Role } from '../accounts/access/index.js';
import { Config, parseTimeZone } from '../platform/index.js';
import { InvitationsService } from '../people/invitations/invitations.service.js';
import { PeopleService } from '../people/members/members.service.js';
import { SetupService } from '../people/setup/setup.service.js';
import { WrongUse, emailOf, idOf, inApp, nameOf, print, readerOf, withApp, type Printing } from './command.js';

const roleOf = readerOf((text) => ROLES.find((known) => known === text) ?? null, `must be one of ${ROLES.join(', ')}`);
const zoneOf = readerOf(parseTimeZone, 'must be a name such as Europe/Berlin');

const EMAIL = ['--email <address>', 'their email address', emailOf('--email')] as const;
const NAME = ['--name <name>', 'their name', nameOf('--name')] as const;
const ROLE_TEXT = `their role in the account: ${ROLES.join(', ')}`;
const ROLE = ['--role <role>', ROLE_TEXT, roleOf('--role')] as const;
/** Names the first account otherwise. */
const ACCOUNT = new Option('--account <id>', 'id of the account').argParser(idOf('--account')).default(1, '"1"');
const ZONE_TEXT = 'their time zone, such as Europe/Berlin';
const TIME_ZONE = ['--time-zone <name>', ZONE_TEXT, zoneOf('--time-zone')] as const;

interface InviteOptions extends Printing {
  email: string;
  name: string;
  role: Role;
  account: number;
  send?: boolean;
}

interface CreateOptions extends Omit<InviteOptions, 'send'> {
  timeZone: string;
  passwordStdin?: boolean;
}

/** Returns the commands `people create`, `invite`, `list`, `disable`, `enable`, `operator` and `setup-link`. */
export function peopleCommands(): Command {
  const people = new Command('people').description('Manage the people who sign in.');
  people
    .command('create')
    .description('Add a person who signs in with a password.')
    .requiredOption(...EMAIL)
    .requiredOption(...NAME)
    .requiredOption(...ROLE)
    .addOption(ACCOUNT)
    .option(...TIME_ZONE, 'UTC')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .option('--json', 'print JSON')
    .action(create);
  people
    .command('invite')
    .description('Invite a person to an account and print the invitation link.')
    .requiredOption(...EMAIL)
    .requiredOption(...NAME)
    .requiredOption(...ROLE)
    .addOption(ACCOUNT)
    .option('--send', 'email the link instead of printing it')
    .option('--json', 'print JSON')
    .action(inApp(invite));
  people.command('list').description('List people, oldest first.').option('--json', 'print JSON').action(inApp(list));
  people
    .command('disable')
    .description('Suspend a person in all accounts and end their sessions.')
    .requiredOption(...EMAIL)
    .action(inApp((app, { email }: InviteOptions) => disable(app, email, true)));
  people
    .command('enable')
    .description('Lift the suspension of a person.')
    .requiredOption(...EMAIL)
    .action(inApp((app, { email }: InviteOptions) => disable(app, email, false)));
  people
    .command('operator')
    .description('Grant or revoke operator access, which shows the status and log of the whole service.')
    .requiredOption(...EMAIL)
    .option('--on', 'grant access')
    .option('--off', 'revoke access')
    .action(operator);
  people
    .command('setup-link')
    .description(
      'Print a link that sets up an owner, for a new account or an owner who is locked out. It works once, within an hour.',
    )
    .addOption(ACCOUNT)
    .action(inApp(setupLink));
  return people;
}

async function create(options: CreateOptions) {
  const { email, name, role, account, timeZone } = options;
  if (!options.passwordStdin) throw new WrongUse('Add --password-stdin and pipe the password to standard input.');
  const [password = ''] = (await text(process.stdin)).split(/\r?\n/);
  await withApp(async (app) => {
    const details = { email, name, timeZone };
    const standing = { clientId: null, role };
    const { person } = await app.get(PeopleService).create(COMMAND_LINE, details, password, account, standing);
    const shown = { id: person.id, email: person.email, name: person.name };
    print([{ ...shown, role, time_zone: person.timeZone }], options);
  });
}

async function invite(app: INestApplicationContext, options: InviteOptions) {
  const { email, name, role, account, send = false } = options;
  const { link } = await app
    .get(InvitationsService)
    .invite(Principal.operator(account), { email, name }, { clientId: null, role }, send);
  if (options.json) print([{ email, name, role, link }], options);
  else process.stdout.write(link === null ? 'Invitation sent.\n' : `${link}\n`);
}

async function list(app: INestApplicationContext, printing: Printing) {
  const people = await app.get(PeopleService).list();
  const rows = people.map(({ id, email, name, isOperator, disabledAt, createdAt }) => ({
    ...{ id, email, name, operator: isOperator },
    ...{ disabled_at: disabledAt, created_at: createdAt },
  }));
  print(rows, printing);
}

async function disable(app: INestApplicationContext, email: string, isDisabled: boolean) {
  await app.get(PeopleService).disable(COMMAND_LINE, email, isDisabled);
  process.stdout.write(isDisabled ? 'Suspended.\n' : 'Suspension lifted.\n');
}

async function operator(options: { email: string; on?: boolean; off?: boolean }) {
  const { email, on: isOperator = false, off = false } = options;
  if (isOperator === off) throw new WrongUse('Give either --on or --off.');
  await withApp((app) => app.get(PeopleService).makeOperator(COMMAND_LINE, email, isOperator));
  process.stdout.write(isOperator ? 'Operator access granted.\n' : 'Operator access revoked.\n');
}

async function setupLink(app: INestApplicationContext, { account }: { account: number }) {
  const code = await app.get(SetupService).issueFor(account);
  process.stdout.write(`${app.get(Config).baseUrl}/setup#${code}\n`);
}
