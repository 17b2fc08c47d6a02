import type { Member } from '../../people/members/members.service.js';
import type { ComponentChildren } from 'preact';
import { type Right, ROLES, rightsOfRole, type Role } from '../../accounts/access/index.js';
import {
  Button,
  LinkButton,
  ActionForm,
  Check,
  Field,
  Select,
  Empty,
  State,
  Icon,
  Time,
  Copyable,
  Notice,
  Table,
  Section,
} from '../parts/index.js';
import { Page } from '../layout/shell.js';
import { peopleWords } from './words.js';
import { tokenWords } from '../tokens/tokens.page.js';
import type { SignInLink } from '../../people/links/sign-in-link.entity.js';
import { formatUuid, type FieldProblem } from '../../platform/index.js';

export const PEOPLE = { href: '/people', label: peopleWords.title };

/** An open invitation as the list shows it. */
export interface InvitationRow {
  id: string;
  name: string;
  email: string;
  /** The role, or the client it is for. */
  as: { role: Role } | { client: string };
  expiresAt: Date;
}

/** Draws the members of an account, its invitations, and the rights of each role. */
export function PeoplePage(props: {
  members: Member[];
  /** The person who looks at it. */
  me: number | null;
  invitations: InvitationRow[];
  mayChange: boolean;
}) {
  const { members, me, invitations, mayChange } = props;
  const invite = mayChange && (
    <LinkButton href="/new-person" kind="primary" icon="user-plus">
      {peopleWords.invite}
    </LinkButton>
  );
  return (
    <Page title={peopleWords.title} section="people" actions={members.length > 0 && invite}>
      {members.length === 0 ? (
        <Empty icon="contact-round" title="No people yet">
          <p>Invite the people who work on forms with you. Programs use API tokens instead.</p>
          {invite}
        </Empty>
      ) : (
        <Members {...{ members, me, mayChange }} />
      )}
      {invitations.length > 0 && <Invitations rows={invitations} mayChange={mayChange} />}
      <Roles />
    </Page>
  );
}

function Members(props: { members: Member[]; me: number | null; mayChange: boolean }) {
  const { members, me, mayChange } = props;
  return (
    <Table
      caption={peopleWords.title}
      head={[peopleWords.name, peopleWords.email, peopleWords.role, peopleWords.joined]}
    >
      {members.map(({ person: { id, name, email, isDisabled }, membership }) => (
        <tr>
          <th scope="row">
            {mayChange ? (
              <a class="row" href={`/people/${id}`}>
                {name}
              </a>
            ) : (
              name
            )}
            {id === me && <span class="hint"> (you)</span>}
          </th>
          <td class="quiet">{email}</td>
          <td data-label={peopleWords.role}>
            {peopleWords.roles[membership.role ?? 'viewer']}
            {(isDisabled || membership.disabledAt !== null) && (
              <>
                {' '}
                <State kind="warn">{peopleWords.disabled}</State>
              </>
            )}
          </td>
          <td class="quiet" data-label={peopleWords.joined}>
            <Time at={membership.createdAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Draws open invitations, with buttons to send them again or withdraw them. */
export function Invitations({ rows, mayChange }: { rows: InvitationRow[]; mayChange: boolean }) {
  return (
    <Section title={peopleWords.invitations}>
      <Table
        caption={peopleWords.invitations}
        head={[peopleWords.name, peopleWords.invitedAs, peopleWords.expires, mayChange && 'Actions']}
      >
        {rows.map(({ id, name, email, as, expiresAt }) => (
          <tr>
            <th scope="row">
              <bdi>{name}</bdi>
              <br />
              <span class="hint">{email}</span>
            </th>
            <td data-label={peopleWords.invitedAs}>
              {'role' in as ? peopleWords.roles[as.role] : `Client: ${as.client}`}
            </td>
            <td class="quiet" data-label={peopleWords.expires}>
              <Time at={expiresAt} />
            </td>
            {mayChange && (
              <td>
                <InvitationActions here={`/invitations/${id}`} />
              </td>
            )}
          </tr>
        ))}
      </Table>
    </Section>
  );
}

function InvitationActions({ here }: { here: string }) {
  return (
    <div class="actions">
      <form method="post" action={`${here}/resend`}>
        <Button kind="plain" icon="mail" name="send" value="true">
          Send again
        </Button>
      </form>
      <form method="post" action={`${here}/resend`}>
        <Button kind="plain" icon="copy" name="send" value="false">
          Create new link
        </Button>
      </form>
      <form method="post" action={`${here}/withdraw`}>
        <Button kind="danger">Withdraw</Button>
      </form>
    </div>
  );
}

/** Draws the rights of each role, from the list by which the service decides. */
function Roles() {
  return (
    <Section title={peopleWords.rolesTitle}>
      <Table
        class="grid"
        caption={peopleWords.rolesTitle}
        head={['Permissions', ...ROLES.map((role) => peopleWords.roles[role])]}
      >
        {(Object.entries(tokenWords.allows) as [Right, string][]).map(([right, text]) => (
          <tr>
            <th scope="row">{text}</th>
            {ROLES.map((role) => (
              <td data-label={peopleWords.roles[role]}>
                {rightsOfRole(role).includes(right) ? (
                  <>
                    <Icon name="check" /> <span class="quiet">yes</span>
                  </>
                ) : (
                  <span class="quiet">no</span>
                )}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </Section>
  );
}

/** Returns an open invitation as lists show it. @param clients their names by id */
export function invitationRow(invitation: SignInLink, clients: Map<number, string>): InvitationRow {
  const { id, name, email, standing, expiresAt } = invitation;
  const as = standing.clientId === null ? { role: standing.role } : { client: clients.get(standing.clientId) ?? '' };
  return { id: formatUuid(id), name, email, as, expiresAt };
}

/** Draws the button by which an owner sees the pages as a person does. */
export function SeeAs({ here, name }: { here: string; name: string }) {
  return (
    <Section title="Preview access" hint="View only, until you exit. The audit log records it.">
      <form method="post" action={`${here}/view`}>
        <Button kind="plain" icon="eye">
          View as {name}
        </Button>
      </form>
    </Section>
  );
}

export interface InvitePageProps {
  typed: { name: string; email: string; role: string; send: boolean };
  problems: FieldProblem[];
}

/** Draws the page that asks whom to invite, and as what. */
export function InvitePage({ typed, problems }: InvitePageProps) {
  return (
    <Invite section="people" up={PEOPLE} action="/people" typed={typed} problems={problems}>
      <Select
        name="person.role"
        label={peopleWords.role}
        value={typed.role}
        options={ROLES.map((role) => ({ value: role, label: peopleWords.roles[role] }))}
      />
    </Invite>
  );
}

/** Draws the page that invites somebody; what they may do is among its children. */
export function Invite(props: {
  section: 'people' | 'clients';
  up: { href: string; label: string };
  action: string;
  typed: { name: string; email: string; send: boolean };
  problems: FieldProblem[];
  children: ComponentChildren;
}) {
  const { section, up, action, typed, problems } = props;
  return (
    <Page title={peopleWords.invite} section={section} up={up}>
      <p>They get a link that works once, for seven days.</p>
      <ActionForm action={action} problems={problems} submit={peopleWords.invite} icon="user-plus">
        <InviteeFields typed={typed} />
        {props.children}
        <Check
          name="person.send"
          label="Send the link by email"
          hint="Otherwise we show you the link, and you pass it on yourself."
          checked={typed.send}
        />
      </ActionForm>
    </Page>
  );
}

/** Draws the fields that say who is invited. */
function InviteeFields({ typed }: { typed: { name: string; email: string } }) {
  return (
    <>
      <Field name="person.name" label={peopleWords.name} value={typed.name} autocomplete="off" required />
      <Field
        name="person.email"
        label={peopleWords.email}
        type="email"
        value={typed.email}
        autocomplete="off"
        required
      />
    </>
  );
}

/** Draws the link of an invitation: the only page that ever shows it. */
export function InvitationLinkPage(props: { name: string; link: string; up: { href: string; label: string } }) {
  const { name, link, up } = props;
  return (
    <Page title="Invitation link" section="people" up={up}>
      <Notice kind="warn">
        <p>
          Give it only to {name}: the first person to open it gets access. We show it only once. It works for seven
          days.
        </p>
      </Notice>
      <Copyable id="link" text={link} />
      <LinkButton href={up.href} kind="primary" icon="check">
        I have copied it
      </LinkButton>
    </Page>
  );
}
