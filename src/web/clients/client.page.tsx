import type { FieldProblem } from '../../platform/kernel/errors.js';
import { SignInAddress } from '../brand/brand.page.js';
import { ActionForm, Actions, Button, Check, Field, LinkButton } from '../parts/controls.js';
import { ClientPeople, type ClientPersonRow } from './client-people.page.js';
import { PageHead } from '../parts/content.js';
import { Confirm } from '../parts/confirm.js';
import { Shell } from '../layout/shell.js';
import { Invitations, type InvitationRow } from '../people/people.page.js';
import { clientWords, hostWords } from './words.js';
import { destinationWords } from '../destinations/words.js';
import { formWords } from '../forms/words.js';
import { statisticsWords } from '../statistics/words.js';
import { clientBrandWords } from './words.js';

/** Name of the box that invites the person of a new client. */
export const INVITE = 'invite';
/** Forms that are looked through at a glance; more are narrowed down by typing. */
const LISTED = 10;

export interface ClientPageProps {
  /** Null for a new client. */
  client: { id: number; name: string } | null;
  typed: {
    name: string;
    email: string;
    canCreateForms: boolean;
    formIds: number[];
    /** Identifiers of further forms. */
    identifiers: string;
  };
  /** Those that can be chosen; where they are too many, those that are chosen. */
  forms: readonly { id: number; name: string }[];
  /** Ids of those that are chosen and not among `forms`; null where all can be chosen from. */
  kept: readonly number[] | null;
  problems: FieldProblem[];
  /** Null for who may not see them. */
  people: {
    rows: ClientPersonRow[];
    invitations: InvitationRow[];
    mayInvite: boolean;
    signInUrl: string;
  } | null;
  /** Whether the box is ticked that invites the person of a new client; null without the box. */
  invite: boolean | null;
}

/** Draws a client to be added or changed, and the forms it sees. */
export function ClientPage(props: ClientPageProps) {
  const { client, typed, forms, kept, problems, people } = props;
  const chosen = new Set(typed.formIds);
  const title = client ? client.name : clientWords.create;
  const here = client ? `/clients/${client.id}` : '/clients';
  return (
    <Shell title={title} section="clients">
      <PageHead title={title} up={{ href: '/clients', label: clientWords.list }}>
        {client && (
          <>
            <LinkButton href={`${here}/brand`}>{clientBrandWords.open}</LinkButton>
            <LinkButton href={`${here}/host`}>{hostWords.open}</LinkButton>
            <LinkButton href={`/destinations?client_id=${client.id}`}>
              {destinationWords.title}
            </LinkButton>
            <LinkButton href={`${here}/report`}>{statisticsWords.report}</LinkButton>
          </>
        )}
      </PageHead>
      {!client && (
        <p>
          {clientWords.createHint} {props.invite === null && clientWords.noInvite}
        </p>
      )}
      <ActionForm action={here} problems={problems}>
        <Field
          name="client.name"
          label={clientWords.name}
          value={typed.name}
          autocomplete="off"
          {...{ problems }}
          required
        />
        <Field
          name="client.email"
          label={clientWords.email}
          type="email"
          value={typed.email}
          autocomplete="off"
          {...{ problems }}
          required
        />
        <Check
          name="client.can_create_forms"
          label={clientWords.canCreate}
          hint={clientWords.canCreateHint}
          checked={typed.canCreateForms}
        />
        {props.invite !== null && (
          <Check
            name={INVITE}
            label={clientWords.invite}
            hint={clientWords.inviteHint}
            checked={props.invite}
          />
        )}
        {forms.length > 0 && (
          <fieldset>
            <legend>{clientWords.forms}</legend>
            {forms.length > LISTED && (
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
              {forms.map(({ id, name }) => (
                <Check
                  name="client.form_ids"
                  value={String(id)}
                  label={name}
                  checked={chosen.has(id)}
                />
              ))}
            </div>
          </fieldset>
        )}
        {kept !== null && (
          <>
            {kept.length > 0 && <p class="hint">{clientWords.kept(kept.length)}</p>}
            <input type="hidden" name="client.kept_form_ids" value={kept.join(',')} />
            <Field
              name="client.form_identifiers"
              label={clientWords.further}
              hint={clientWords.furtherHint}
              value={typed.identifiers}
              rows={3}
              autocomplete="off"
              {...{ problems }}
            />
          </>
        )}
        <Actions>
          <Button>{client ? clientWords.save : clientWords.create}</Button>
        </Actions>
      </ActionForm>
      {client && people && (
        <>
          <ClientPeople here={here} {...people} />
          {people.invitations.length > 0 && (
            <Invitations rows={people.invitations} mayChange={people.mayInvite} />
          )}
          <SignInAddress url={people.signInUrl} of={client.name} />
        </>
      )}
      {client && (
        <section class="apart">
          <h2>{clientWords.delete}</h2>
          <p class="hint">{clientWords.deleteHint}</p>
          <Confirm
            action={`${here}/delete`}
            label={clientWords.delete}
            question={clientWords.deleteSure(client.name)}
            go={clientWords.deleteGo}
            icon="trash-2"
          />
        </section>
      )}
    </Shell>
  );
}
