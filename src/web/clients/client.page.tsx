import type { AttemptResult } from '../../deliveries/model/outcome.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { LogoField, SignInAddress } from '../brand/brand.page.js';
import { Shell } from '../layout/shell.js';
import { ActionForm, Actions, Button, Check, Field, LinkButton } from '../parts/controls.js';
import { Notice, PageHead } from '../parts/content.js';
import { clientBrandWords as said, clientWords, hostWords, clientBrandWords } from './words.js';
import { ClientPeople, type ClientPersonRow } from './clients.page.js';
import { Confirm } from '../parts/typed.js';
import { Invitations, type InvitationRow } from '../people/people.page.js';
import { destinationWords } from '../destinations/destinations.page.js';
import { formWords } from '../forms/words.js';
import { statisticsWords } from '../activity/facets.js';

/** The parts of the page that are saved by themselves. */
export type ClientBrandPart = 'brand' | 'sender' | 'form_defaults' | 'form';

/** Contents of the fields, by their names. */
type ClientBrandTyped = Readonly<Record<string, string>>;

export interface ClientBrandPageProps {
  client: { id: number; name: string };
  typed: ClientBrandTyped;
  /** Path of the present logo; null without one. */
  logoPath: string | null;
  /** Host of the client's mail server; null without one. */
  smtpHost: string | null;
  isVisitorTold: boolean;
  /** Problems of a part; null for none. */
  problems: { part: ClientBrandPart; fields: FieldProblem[] } | null;
  /** How the test that was just made ended. */
  test: { to: string; ended: AttemptResult } | null;
  mayCreate: boolean;
}

/** Draws how a client looks, who sends its mails, and what its new forms begin with. */
export function ClientBrandPage(props: ClientBrandPageProps) {
  const { client, mayCreate } = props;
  const here = `/clients/${client.id}`;
  const part = (name: ClientBrandPart) => partOf(props, name);
  return (
    <Shell title={`${said.title}: ${client.name}`} section="clients">
      <PageHead title={said.title} up={{ href: here, label: client.name }} />
      <p>{said.hint}</p>
      <Look {...{ ...props, here, ...part('brand') }} />
      <Sender {...{ ...props, here, ...part('sender') }} />
      <Defaults {...{ ...props, here, ...part('form_defaults') }} />
      {mayCreate && (
        <section>
          <h2>{said.newForm}</h2>
          <ActionForm action={`${here}/forms`} problems={part('form').problems}>
            <Text {...part('form')} name="form.name" label={said.newFormName} required />
            <Actions>
              <Button kind="plain">{said.createForm}</Button>
            </Actions>
          </ActionForm>
        </section>
      )}
    </Shell>
  );
}

/** A part of the page: contents of its fields, and their problems. */
interface Part {
  typed: ClientBrandTyped;
  problems: FieldProblem[];
}

function partOf({ typed, problems }: ClientBrandPageProps, part: ClientBrandPart): Part {
  return { typed, problems: problems?.part === part ? problems.fields : [] };
}

type PartProps = Omit<ClientBrandPageProps, 'problems'> & Part & { here: string };

function Text({
  typed,
  ...field
}: Part & { name: string; label: string; hint?: string; type?: 'email'; required?: boolean }) {
  return <Field {...field} value={typed[field.name] ?? ''} autocomplete="off" />;
}

function Look({ here, typed, problems, logoPath }: PartProps) {
  const part = { typed, problems };
  return (
    <ActionForm action={`${here}/brand`} problems={problems} upload submit={said.save}>
      <Text {...part} name="brand.name" label={said.name} hint={said.nameHint} />
      <LogoField {...{ logoPath, problems }} />
      <Text {...part} name="brand.colour" label={said.colour} hint={said.colourHint} />
      <Text
        {...part}
        name="brand.reply_to"
        label={said.replyTo}
        hint={said.replyToHint}
        type="email"
      />
    </ActionForm>
  );
}

function Sender({ here, typed, problems, smtpHost, test }: PartProps) {
  const part = { typed, problems };
  return (
    <section id="sender">
      <h2>{said.sender}</h2>
      <p class="hint">{said.senderHint}</p>
      <ActionForm action={`${here}/sender`} problems={problems} submit={said.saveSender}>
        <Text {...part} name="sender.from" label={said.from} hint={said.fromHint} />
        <Text {...part} name="sender.smtp_url" label={said.smtp} hint={said.smtpHint} />
        {smtpHost !== null && (
          <>
            <p>{said.smtpNow(smtpHost)}</p>
            <Check name="remove_smtp" label={said.removeSmtp} />
          </>
        )}
      </ActionForm>
      {test && <Tested {...test} />}
      <ActionForm action={`${here}/sender/test`}>
        <p class="hint">{said.testHint}</p>
        <Actions>
          <Button kind="plain" icon="mail">
            {said.test}
          </Button>
        </Actions>
      </ActionForm>
    </section>
  );
}

function Tested({ to, ended }: { to: string; ended: AttemptResult }) {
  const isGood = ended.verdict === 'delivered';
  return (
    <Notice kind={isGood ? 'good' : 'bad'}>
      {isGood ? said.testGood(to) : said.testBad(to)}: {ended.answer ?? said.silent}
    </Notice>
  );
}

function Defaults({ here, typed, problems, isVisitorTold }: PartProps) {
  const part = { typed, problems };
  return (
    <section>
      <h2>{said.defaults}</h2>
      <p class="hint">{said.defaultsHint}</p>
      <ActionForm action={`${here}/form-defaults`} problems={problems} submit={said.saveDefaults}>
        <Text {...part} name="form_defaults.redirect_url" label={said.redirectUrl} />
        <Text
          {...part}
          name="form_defaults.notify_owner_emails"
          label={said.ownerEmails}
          hint={said.ownerEmailsHint}
        />
        <Check
          name="form_defaults.notify_submitter"
          label={said.notifySubmitter}
          checked={isVisitorTold}
        />
        <Text {...part} name="form_defaults.bg_color" label={said.bgColor} />
        <Text {...part} name="form_defaults.text_color" label={said.textColor} />
        <Text {...part} name="form_defaults.link_color" label={said.linkColor} />
        <Text
          {...part}
          name="form_defaults.whitelisted_domains"
          label={said.domains}
          hint={said.domainsHint}
        />
      </ActionForm>
    </section>
  );
}

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
              {destinationWords.ofAll}
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
      <ActionForm
        action={here}
        problems={problems}
        submit={client ? clientWords.save : clientWords.create}
      >
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
