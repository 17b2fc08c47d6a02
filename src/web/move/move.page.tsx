import { fieldLabel } from '../../forms/model/field.js';
import type { FormAlias } from '../../forms/aliases/form-alias.entity.js';
import { PROVIDERS, hostsOf, type Provider } from '../../forms/aliases/old-address.js';
import type { FieldProblem } from '../../platform/index.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import {
  Confirm,
  ActionForm,
  Actions,
  Button,
  Field,
  Select,
  ExternalLink,
  Age,
  Copyable,
  Notice,
  State,
  Table,
  Section,
} from '../parts/index.js';
import type { Moved, MovedForm } from '../../moving/moves/moves.service.js';
import { Page } from '../layout/shell.js';

/** Names of providers as they write themselves. */
const providers: Readonly<Record<Provider, string>> = {
  basin: 'Basin',
  formbackend: 'FormBackend',
  formcarry: 'Formcarry',
  forminit: 'Forminit',
  formspark: 'Formspark',
  formspree: 'Formspree',
  formsubmit: 'FormSubmit',
  getform: 'Getform',
  netlify: 'Netlify Forms',
  web3forms: 'Web3Forms',
};

/** Providers to choose from. */
const PROVIDER_OPTIONS = PROVIDERS.map((value) => ({ value, label: providers[value] }));
const ANY_PROVIDER = [{ value: '', label: 'Detect from the address' }, ...PROVIDER_OPTIONS];

/** Words that stand at several places of a page. */
const moveWords = {
  host: '3. Replace the host in your pages',
  table: { old: 'Old ID', fields: 'Fields with names', state: 'State' },
  hosts: { old: 'Find', next: 'Replace with' },
  live: { form: 'Form', last: 'Last submission', page: 'From the page' },
  aliases: { title: 'Old IDs', provider: 'Provider', remove: 'Remove' },
} as const;

export interface AliasesPageProps {
  form: FormShown;
  rows: readonly FormAlias[];
  /** Provider whose answers the form gives; empty for that of the address. */
  dialect: string;
  typed: { provider: string; value: string };
  problems: FieldProblem[];
}

/** Draws the ids of other providers that lead to a form. */
export function AliasesPage({ form, rows, dialect, typed, problems }: AliasesPageProps) {
  const { aliases } = moveWords;
  const here = `/forms/${form.identifier}`;
  return (
    <FormShell form={form} title={aliases.title} tab="setup">
      <Section title={aliases.title}>
        <p>Pages that still use an ID from another provider are delivered to this form.</p>
        <AliasTable rows={rows.map((alias) => ({ alias, form: null }))} removeAt={`${here}/aliases`} />
      </Section>
      <Section title="Add an old ID">
        <ActionForm action={`${here}/aliases`} problems={problems} submit="Add">
          <Field
            name="alias.value"
            label="Old ID or address"
            hint="As your page has it, such as xpzvnqkd or https://formspree.io/f/xpzvnqkd."
            value={typed.value}
            autocomplete="off"
            required
          />
          <Select name="alias.provider" label={aliases.provider} value={typed.provider} options={PROVIDER_OPTIONS} />
        </ActionForm>
      </Section>
      <Section title="How the form answers">
        <p>
          Special fields such as _next, and responses to scripts. Choose a provider if you changed the address in pages
          made for it.
        </p>
        <ActionForm action={`${here}/dialect`} problems={[]} submit="Save" kind="plain">
          <Select name="dialect" label={aliases.provider} value={dialect} options={ANY_PROVIDER} />
        </ActionForm>
      </Section>
    </FormShell>
  );
}

interface AliasRow {
  alias: Pick<FormAlias, 'id' | 'provider' | 'value' | 'lastUsedAt' | 'lastPage'>;
  /** The form that it leads to, where the table is for several forms. */
  form: { name: string; identifier: string } | null;
}

/**
 * Draws old ids, with what last came by each.
 * @param removeAt address behind which each is removed; absent where none is
 */
function AliasTable({ rows, removeAt }: { rows: AliasRow[]; removeAt?: string }) {
  const { live, aliases } = moveWords;
  if (rows.length === 0) return <p class="hint">No old IDs yet.</p>;
  const hasForms = rows.some(({ form }) => form !== null);
  return (
    <Table caption="Old IDs" head={['Old ID', hasForms && live.form, live.last, live.page, removeAt && aliases.remove]}>
      {rows.map(({ alias, form }) => (
        <tr>
          <th scope="row">
            <code>{alias.value}</code> <span class="hint">{providers[alias.provider]}</span>
          </th>
          {hasForms && (
            <td data-label={live.form}>{form && <a href={`/forms/${form.identifier}/aliases`}>{form.name}</a>}</td>
          )}
          <td class="quiet" data-label={live.last}>
            {alias.lastUsedAt ? <Age at={alias.lastUsedAt} /> : 'None yet'}
          </td>
          <td class="quiet" data-label={live.page}>
            {alias.lastPage && <ExternalLink href={alias.lastPage} />}
          </td>
          {removeAt && (
            <td>
              <Confirm
                action={`${removeAt}/${alias.id}/remove`}
                label={aliases.remove}
                question="Pages that still use this ID get an error. You can add it again later."
                go={aliases.remove}
              />
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

export interface MovePageProps {
  /** The address that takes the place of old hosts. */
  baseUrl: string;
  typed: { content: string; provider: string; project: string };
  problems: FieldProblem[];
  /** The forms that were found or made; null before. */
  moved: Moved | null;
  isMade: boolean;
  rows: AliasRow[];
}

/** Draws the way here from another provider, step by step. */
export function MovePage(props: MovePageProps) {
  const { baseUrl, rows } = props;
  return (
    <Page title="Move from another provider" section="move">
      <p>Your pages keep their forms, IDs and special fields. Only the host in them changes.</p>
      <Section title="1. Import your forms">
        {props.isMade && props.moved ? <Made {...props.moved} /> : <Ask {...props} />}
      </Section>
      <Section title="2. Import your submissions">
        <p>
          Export the submissions at your provider, then open a form here and choose Setup → Import submissions. Times
          and spam marks stay as they are, and nobody gets an email.
        </p>
      </Section>
      <Section title={moveWords.host}>
        <p>In all files of your site, replace the old host with {baseUrl}. IDs and fields stay.</p>
        <Hosts baseUrl={baseUrl} />
      </Section>
      <Section title="4. See which old IDs are still used">
        <p>
          An ID without a submission since you replaced the host is no longer used. Your move is complete once this is
          true for all. This list updates every ten seconds.
        </p>
        <AliasTable rows={rows} />
      </Section>
    </Page>
  );
}

function Ask({ typed, problems, moved }: MovePageProps) {
  const isOne = moved?.forms.length === 1;
  return (
    <ActionForm action="/move" problems={problems}>
      <Field
        name="move.content"
        label="A page of your site, your formspree.json, or one ID per line"
        hint="Paste the HTML of a page, and we find its forms. Or paste IDs such as xpzvnqkd or https://formspree.io/f/xpzvnqkd, optionally followed by a comma and a name."
        value={typed.content}
        rows={10}
        required
      />
      <Select name="move.provider" label="Provider (for bare IDs)" value={typed.provider} options={ANY_PROVIDER} />
      <Field
        name="move.project"
        label="Formspree project"
        hint="Only for a formspree.json: the part after /p/ in the addresses of your pages."
        value={typed.project}
        autocomplete="off"
      />
      {moved && (
        <>
          <h3>{isOne ? 'We found one form' : `We found ${moved.forms.length} forms`}</h3>
          <Forms forms={moved.forms} isMade={false} />
          {moved.forms.some(({ plan }) => plan.fields.length > 0) && (
            <p class="hint">
              Required fields and formats become field rules. Submissions that break one are held, not rejected.
            </p>
          )}
        </>
      )}
      <Actions>
        {moved && (
          <Button name="make" value="true">
            {isOne ? 'Create the form' : `Create ${moved.forms.length} forms`}
          </Button>
        )}
        <Button kind={moved ? 'plain' : 'primary'}>Find the forms</Button>
      </Actions>
    </ActionForm>
  );
}

function Made({ forms, page }: Moved) {
  return (
    <>
      <Notice kind="good">
        <p>Forms created</p>
      </Notice>
      <Forms forms={forms} isMade />
      {page !== null && (
        <>
          <h3>Your page with the new addresses</h3>
          <p class="hint">
            Only the action and the method of its forms have changed. Or keep the page and replace the host.
          </p>
          <Copyable id="moved-page" text={page} />
        </>
      )}
    </>
  );
}

function Forms({ forms, isMade }: { forms: MovedForm[]; isMade: boolean }) {
  const { table } = moveWords;
  return (
    <Table caption="Forms" head={['Form', table.old, table.fields, table.state]}>
      {forms.map((form) => {
        const { plan, identifier } = form;
        return (
          <tr>
            <th scope="row">{identifier ? <a href={`/forms/${identifier}`}>{plan.name}</a> : plan.name}</th>
            <td data-label={table.old}>
              {plan.old && <code>{plan.old.value}</code>}{' '}
              {plan.provider && <span class="hint">{providers[plan.provider]}</span>}
            </td>
            <td class="quiet" data-label={table.fields}>
              {plan.fields.map(({ name, label = fieldLabel(name) }) => label).join(', ')}
            </td>
            <td data-label={table.state}>
              <FormState form={form} isMade={isMade} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function FormState({ form, isMade }: { form: MovedForm; isMade: boolean }) {
  const { plan, wasHere, isReached } = form;
  if (plan.old && !isReached)
    return <State kind="warn">The old ID is taken on this service; use the new address.</State>;
  if (wasHere) return <State kind="quiet">Already here</State>;
  return <State kind={isMade ? 'good' : 'quiet'}>{isMade ? 'Created' : 'Will be created'}</State>;
}

function Hosts({ baseUrl }: { baseUrl: string }) {
  const { hosts } = moveWords;
  const known = PROVIDERS.flatMap((provider) => {
    const [old] = hostsOf(provider);
    return old === undefined ? [] : [{ provider, old }];
  });
  return (
    <Table caption={moveWords.host} head={['Provider', hosts.old, hosts.next]}>
      {known.map(({ provider, old }) => (
        <tr>
          <th scope="row">{providers[provider]}</th>
          <td data-label={hosts.old}>
            <code>https://{old}</code>
          </td>
          <td data-label={hosts.next}>
            <code>{baseUrl}</code>
          </td>
        </tr>
      ))}
    </Table>
  );
}
