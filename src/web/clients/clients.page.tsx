import type { ClientWithForms } from '../../clients/clients.service.js';
import type { ClientHost } from '../../clients/hosts/client-host.entity.js';
import type { Member } from '../../people/members/members.service.js';
import type { FieldProblem } from '../../platform/index.js';
import {
  Confirm,
  ListTools,
  Pages,
  type ListPages,
  Copyable,
  Notice,
  State,
  Empty,
  Table,
  Section,
  ActionForm,
  Actions,
  Button,
  Field,
  Check,
  LinkButton,
} from '../parts/index.js';
import { ClientShell } from '../form-head/form-head.js';
import { Page } from '../layout/shell.js';
import { hostWords, clientWords } from './words.js';
import { ACTIONS } from '../../accounts/access/index.js';
import { KeepOut, MemberSessions, RemoveMember, type SessionShown } from '../people/member.page.js';
import { Invite, SeeAs } from '../people/people.page.js';
import { clientPeopleWords, peopleWords } from '../people/words.js';

export interface ClientHostPageProps {
  client: { id: number; name: string };
  /** Null while the client has none. */
  host: ClientHost | null;
  /** Whether this service takes hosts of clients. */
  isOn: boolean;
  /** Address of the service. */
  baseUrl: string;
  typed: string;
  problems: FieldProblem[];
}

/** Draws the host of a client's own, how to prove it, and where it is to lead. */
export function ClientHostPage(props: ClientHostPageProps) {
  const { client, host, isOn, baseUrl, typed, problems } = props;
  const here = `/clients/${client.id}`;
  const title = `Custom domain of ${client.name}`;
  const unproven = problems.filter(({ field }) => field === 'host');
  const refused = problems.filter(({ field }) => field !== 'host');
  return (
    <ClientShell client={client} title={title} tab="look">
      <h2>{hostWords.open}</h2>
      {!host?.isProven && (
        <p>This client’s forms, pages and links are at {baseUrl}. Give it a domain of its own, and they move there.</p>
      )}
      {!isOn && <Notice kind="warn">Custom domains are off. The operator can enable them with HOSTS.</Notice>}
      {host && <Proof {...{ host, here, baseUrl, problems: unproven }} />}
      {isOn && (
        <ActionForm action={`${here}/host`} problems={refused}>
          <Field
            name="host.name"
            label={host ? 'Another domain' : 'Domain'}
            hint="A name that nothing else uses, such as forms.example.com."
            value={typed}
            autocomplete="off"
            required
          />
          <Actions>
            <Button kind={host ? 'plain' : 'primary'}>{host ? 'Use another domain' : 'Use this domain'}</Button>
          </Actions>
        </ActionForm>
      )}
      {host && (
        <Section
          class="apart"
          title={hostWords.release}
          hint="Emails that were sent have links to it, so let it point here for a few more weeks."
        >
          <Confirm
            action={`${here}/host/release`}
            label={hostWords.release}
            question={`Remove ${host.host}? The client’s forms, pages and links move back to our address.`}
            go="Remove domain"
            icon="trash-2"
          />
        </Section>
      )}
    </ClientShell>
  );
}

function Proof(props: { host: ClientHost; here: string; baseUrl: string; problems: FieldProblem[] }) {
  const { host, here, baseUrl, problems } = props;
  const { host: name, record, fileUrls } = host;
  const ownName = new URL(baseUrl).hostname;
  if (host.isProven) {
    return (
      <Section title={name}>
        <Notice kind="good">This client’s forms, pages and links are at this domain.</Notice>
        <p class="hint">
          Keep the CNAME record from {name} to {ownName}, and the certificate in your proxy.
        </p>
      </Section>
    );
  }
  return (
    <section>
      <h2 id="f-host">
        {name} <State kind="warn">Not verified yet</State>
      </h2>
      <p>
        1. Point {name} to this service: add a CNAME record to {ownName}, and a certificate to your proxy.
      </p>
      <p>2. Verify the domain: publish this DNS record, or put its value into the file.</p>
      <h3>Name of the TXT record</h3>
      <Copyable id="proof-name" text={record.name} />
      <h3>Value of the record</h3>
      <Copyable id="proof-value" text={record.value} />
      <h3>Or address of the file</h3>
      <Copyable id="proof-file" text={fileUrls[0] ?? ''} />
      <ActionForm action={`${here}/host/verify`} problems={problems} submit="Check now"></ActionForm>
    </section>
  );
}

/** Draws the people of a client on its page, with what each may do. */
export function ClientPeople(props: { here: string; members: Member[]; mayInvite: boolean }) {
  const { here, members, mayInvite } = props;
  return (
    <section>
      <p class="hint">They sign in and see only the forms of this client.</p>
      {members.length > 0 && (
        <Table caption="People" head={[peopleWords.name, peopleWords.email, clientPeopleWords.may]}>
          {members.map(({ person: { id, name, email }, membership: { actions, disabledAt } }) => (
            <tr>
              <th scope="row">
                <a class="row" href={`${here}/people/${id}`}>
                  {name}
                </a>
              </th>
              <td class="quiet">{email}</td>
              <td class="quiet" data-label={clientPeopleWords.may}>
                {actions.map((action) => clientPeopleWords.short[action]).join(', ')}
                {disabledAt !== null && (
                  <>
                    {' '}
                    <State kind="warn">{peopleWords.disabled}</State>
                  </>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {mayInvite && (
        <LinkButton href={`${here}/new-person`} icon="user-plus">
          {peopleWords.invite}
        </LinkButton>
      )}
    </section>
  );
}

function ActionBoxes({ ticked }: { ticked: readonly string[] }) {
  return (
    <fieldset>
      <legend>{clientPeopleWords.may}</legend>
      <p class="hint">They can always view submissions.</p>
      <div>
        {ACTIONS.filter((action) => action !== 'see').map((action) => (
          <Check
            name="person.actions"
            value={action}
            label={clientPeopleWords.actions[action]}
            checked={ticked.includes(action)}
          />
        ))}
      </div>
    </fieldset>
  );
}

export interface InviteClientPersonPageProps {
  client: { id: number; name: string };
  typed: { name: string; email: string; actions: readonly string[]; send: boolean };
  problems: FieldProblem[];
}

/** Draws the page that asks whom to invite to a client, and what for. */
export function InviteClientPersonPage(props: InviteClientPersonPageProps) {
  const { client, typed, problems } = props;
  const here = `/clients/${client.id}`;
  const up = { href: `${here}/people`, label: client.name };
  return (
    <Invite section="clients" up={up} action={`${here}/people`} typed={typed} problems={problems}>
      <ActionBoxes ticked={typed.actions} />
    </Invite>
  );
}

/** Draws a person of a client: what they may do, where they are signed in, and the way out. */
export function ClientPersonPage(props: {
  client: { id: number; name: string };
  member: Member;
  sessions: SessionShown[];
}) {
  const { client, sessions } = props;
  const { person, membership } = props.member;
  const isDisabled = membership.disabledAt !== null;
  const here = `/clients/${client.id}/people/${person.id}`;
  return (
    <Page title={person.name} section="clients" up={{ href: `/clients/${client.id}/people`, label: client.name }}>
      <p>{person.email}</p>
      <ActionForm action={here}>
        <ActionBoxes ticked={membership.actions} />
        <KeepOut isDisabled={isDisabled} />
      </ActionForm>
      <MemberSessions here={here} sessions={sessions} mayEnd />
      {!isDisabled && <SeeAs here={here} name={person.name} />}
      <RemoveMember here={here} name={person.name} />
    </Page>
  );
}

/** Forms that are named of each client. */
export const FORMS_NAMED = 10;

/** Draws the clients of an account. */
export function ClientsPage(props: {
  rows: readonly ClientWithForms[];
  /** The name or address that is searched for. */
  q: string;
  pages: ListPages;
  mayChange: boolean;
}) {
  const { rows, q, pages, mayChange } = props;
  const isEmpty = rows.length === 0 && q === '';
  const create = mayChange && (
    <LinkButton href="/new-client" kind="primary" icon="plus">
      {clientWords.create}
    </LinkButton>
  );
  return (
    <Page title={clientWords.list} section="clients" actions={!isEmpty && create}>
      {!isEmpty && <ListTools action="/clients" label="Search clients" q={q} />}
      {!isEmpty && rows.length === 0 && <p>No client has “{q}” in its name or email.</p>}
      {isEmpty && (
        <Empty icon="users" title="No clients yet">
          <p>Add the customers you run forms for. Each sees only the forms you choose.</p>
          {create}
        </Empty>
      )}
      {rows.length > 0 && (
        <Table caption={clientWords.list} head={[clientWords.name, clientWords.email, clientWords.forms]}>
          {rows.map(({ client: { id, name, email }, forms }) => (
            <tr>
              <th scope="row">
                {mayChange ? (
                  <a class="row" href={`/clients/${id}`}>
                    <bdi>{name}</bdi>
                  </a>
                ) : (
                  <bdi>{name}</bdi>
                )}
              </th>
              <td class="quiet address">{email}</td>
              <td class="quiet wide" data-label={clientWords.forms}>
                {forms.length === 0 && 'None'}
                {forms.slice(0, FORMS_NAMED).map((form, at) => (
                  <>
                    {at > 0 && ', '}
                    <bdi>{form.name}</bdi>
                  </>
                ))}
                {forms.length > FORMS_NAMED && ' and more'}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Pages pages={pages} />
    </Page>
  );
}
