import { failedOf } from '../../reports/fleet/fleet-filter.js';
import type { FieldProblem } from '../../platform/index.js';
import type { ClientReport } from '../../reports/reports.service.js';
import type { Sums } from '../../statistics/sums.js';
import { inboxOf } from '../addresses/folders.js';
import { SignInAddress } from '../brand/brand.page.js';
import { clientHeadWords, ClientShell } from '../form-head/form-head.js';
import { Shell } from '../layout/shell.js';
import {
  ActionForm,
  Actions,
  Button,
  Check,
  Field,
  Age,
  Icon,
  PageHead,
  Table,
  Section,
  Fold,
  Confirm,
} from '../parts/index.js';
import { clientWords } from './words.js';
import type { Member } from '../../people/members/members.service.js';
import { ClientPeople } from './clients.page.js';
import { Invitations, type InvitationRow } from '../people/people.page.js';
import { destinationWords } from '../destinations/destinations.page.js';
import { formWords } from '../forms/words.js';

/** Name of the box that invites the person of a new client. */
export const INVITE = 'invite';
/** Forms that are looked through at a glance; more are narrowed down by typing. */
const LISTED = 10;

export interface NewClientPageProps {
  typed: ClientTyped;
  choice: FormChoice;
  problems: FieldProblem[];
  /** Whether the box is ticked that invites the person of a new client; null without the box. */
  invite: boolean | null;
}

interface ClientTyped {
  name: string;
  email: string;
  canCreateForms: boolean;
  /** Identifiers of further forms. */
  identifiers: string;
  formIds: readonly number[];
}

/** Forms to choose from; null where they are too many. */
type FormChoice = readonly { id: number; name: string }[] | null;

/** Draws a client to be added, and the forms it sees. */
export function NewClientPage({ typed, choice, problems, invite }: NewClientPageProps) {
  return (
    <Shell title={clientWords.create} section="clients">
      <PageHead title={clientWords.create} up={{ href: '/clients', label: clientHeadWords.list }} />
      <p>
        A client sees only the forms you choose.{' '}
        {invite === null && 'Adding a client invites nobody. You can invite people on its page.'}
      </p>
      <ActionForm action="/clients" problems={problems} submit={clientWords.create}>
        <Details typed={typed} />
        {invite !== null && (
          <Check
            name={INVITE}
            label="Invite this person"
            hint="We email a link to this address. It lets them sign in and see submissions, and works for seven days."
            checked={invite}
          />
        )}
        <Choice {...{ typed, choice }} />
      </ActionForm>
    </Shell>
  );
}

function Details({ typed }: { typed: Omit<ClientTyped, 'identifiers' | 'formIds'> }) {
  return (
    <>
      <Field name="client.name" label={clientWords.name} value={typed.name} autocomplete="off" required />
      <Field
        name="client.email"
        label={clientWords.email}
        type="email"
        value={typed.email}
        autocomplete="off"
        required
      />
      <Check
        name="client.can_create_forms"
        label="Can create forms"
        hint="The client can change only the forms it created. To delete them, its people also need permission to erase."
        checked={typed.canCreateForms}
      />
    </>
  );
}

/** Draws the forms that can be chosen; where they are too many, a field for their identifiers. */
function Choice({ typed, choice }: Pick<NewClientPageProps, 'typed' | 'choice'>) {
  if (choice === null)
    return (
      <Field
        name="client.form_identifiers"
        label="Forms"
        hint="One form identifier per line. You find it in the address of the form’s page."
        value={typed.identifiers}
        rows={3}
        autocomplete="off"
      />
    );
  if (choice.length === 0) return null;
  return (
    <fieldset>
      <legend>{clientWords.forms}</legend>
      {choice.length > LISTED && (
        <input
          type="search"
          class="narrow"
          data-narrows="client-forms"
          placeholder={formWords.search}
          aria-label={formWords.search}
          autocomplete="off"
          hidden
        />
      )}
      <div id="client-forms">
        {choice.map(({ id, name }) => (
          <Check name="client.form_ids" value={String(id)} label={name} checked={typed.formIds.includes(id)} />
        ))}
      </div>
    </fieldset>
  );
}

interface OverviewPageProps {
  client: { id: number; name: string };
  typed: Omit<ClientTyped, 'identifiers' | 'formIds'>;
  problems: FieldProblem[];
  /** Sums of this month and of the month before. */
  report: Pick<ClientReport, 'forms' | 'totals' | 'before'>;
  /** When each form got its newest submission, by its id. */
  latest: ReadonlyMap<number, Date>;
}

/** Draws how the forms of a client are doing, and what is known of the client. */
export function ClientPage({ client, typed, problems, report, latest }: OverviewPageProps) {
  const here = `/clients/${client.id}`;
  const { totals, before } = report;
  return (
    <ClientShell client={client} tab="overview">
      <dl class="figures">
        {FIGURES.map(({ label, of }) => (
          <div>
            <dt>{label}</dt>
            <dd>{of(totals).toLocaleString('en')}</dd>
            <dd class="hint">{of(before).toLocaleString('en')} last month</dd>
          </div>
        ))}
      </dl>
      {report.forms.length > 0 && (
        <Table
          caption={clientWords.forms}
          head={[clientWords.name, { number: clientWords.received }, clientWords.latest, 'Inbox']}
        >
          {report.forms.map(({ form, sums }) => {
            const at = latest.get(form.id);
            return (
              <tr>
                <th scope="row">
                  <a href={`/forms/${form.identifier}`} dir="auto">
                    {form.name}
                  </a>
                </th>
                <td class="number" data-label={clientWords.received}>
                  {sums.submissions.toLocaleString('en')}
                </td>
                <td class="quiet" data-label={clientWords.latest}>
                  {at ? <Age at={at} /> : formWords.none}
                </td>
                <td>
                  <a href={inboxOf(form.identifier)}>{formWords.toInbox}</a>
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      <Section title="Details">
        <ActionForm action={here} problems={problems} submit={clientWords.save}>
          <Details typed={typed} />
        </ActionForm>
      </Section>
      <Section class="apart" title={clientWords.delete} hint="Its API tokens stop working immediately. The forms stay.">
        <Confirm
          action={`${here}/delete`}
          label={clientWords.delete}
          question={`Delete “${client.name}” and all its API tokens?`}
          go="Delete"
          icon="trash-2"
        />
      </Section>
    </ClientShell>
  );
}

const FIGURES: { label: string; of: (sums: Sums) => number }[] = [
  { label: clientWords.received, of: ({ submissions }) => submissions },
  { label: 'Spam', of: ({ spam }) => spam },
  { label: 'Failed deliveries', of: failedOf },
];

interface ClientFormsPageProps {
  client: { id: number; name: string };
  /** The forms that it sees. */
  seen: readonly { id: number; name: string; identifier: string }[];
  typed: ClientTyped;
  /** Those that it does not see. */
  choice: FormChoice;
  problems: FieldProblem[];
  mayCreate: boolean;
  /** Contents of the field with the name of a new form, and its problems. */
  newForm: { name: string; problems: FieldProblem[] };
}

/** Draws the forms that a client sees, each with a button that takes it away, and what adds more. */
export function ClientFormsPage(props: ClientFormsPageProps) {
  const { client, seen, typed, choice, problems, mayCreate, newForm } = props;
  const here = `/clients/${client.id}/forms`;
  return (
    <ClientShell client={client} tab="forms">
      {seen.length === 0 && <p>This client sees no forms yet.</p>}
      <ul class="removable">
        {seen.map(({ id, name, identifier }) => (
          <li class="chip">
            <a href={`/forms/${identifier}`} dir="auto">
              {name}
            </a>
            <form method="post" action={`${here}/remove`}>
              <input type="hidden" name="client.form_ids" value={id} />
              <button type="submit" aria-label={clientWords.remove(name)} title={clientWords.remove(name)}>
                <Icon name="x" />
              </button>
            </form>
          </li>
        ))}
      </ul>
      {(choice === null || choice.length > 0) && (
        <Fold icon="plus" title="Add forms" open={problems.length > 0 || seen.length === 0}>
          <ActionForm action={`${here}/add`} problems={problems} submit="Add">
            <Choice {...{ typed, choice }} />
          </ActionForm>
        </Fold>
      )}
      {mayCreate && (
        <Section title="New form for this client">
          <ActionForm action={here} problems={newForm.problems}>
            <Field name="form.name" label="Form name" value={newForm.name} autocomplete="off" required />
            <Actions>
              <Button kind="plain">Create form</Button>
            </Actions>
          </ActionForm>
        </Section>
      )}
      <p>
        <a href={`/destinations?client_id=${client.id}`}>{destinationWords.ofClient(client.name)}</a>
      </p>
    </ClientShell>
  );
}

interface ClientPeoplePageProps {
  client: { id: number; name: string };
  people: { members: Member[]; invitations: InvitationRow[]; mayInvite: boolean; signInUrl: string };
}

/** Draws who acts for a client, who is invited, and where they sign in. */
export function ClientPeoplePage({ client, people }: ClientPeoplePageProps) {
  return (
    <ClientShell client={client} tab="people">
      <ClientPeople here={`/clients/${client.id}`} {...people} />
      {people.invitations.length > 0 && <Invitations rows={people.invitations} mayChange={people.mayInvite} />}
      <SignInAddress url={people.signInUrl} of={client.name} />
    </ClientShell>
  );
}
