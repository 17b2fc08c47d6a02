import { fieldLabel } from '../../forms/model/field-label.js';
import type { FormAlias } from '../../aliases/form-alias.entity.js';
import { PROVIDERS, hostsOf } from '../../aliases/old-address.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import { Confirm } from '../parts/typed.js';
import { ActionForm, Actions, Button, Field, Select } from '../parts/controls.js';
import { ExternalLink, Age, Copyable, Notice, PageHead, State, Table } from '../parts/content.js';
import { moveWords } from './words.js';
import type { Moved, MovedForm } from '../../moves/moves.service.js';
import { Shell } from '../layout/shell.js';

/** Providers to choose from. */
const PROVIDER_OPTIONS = PROVIDERS.map((value) => ({ value, label: moveWords.providers[value] }));

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
      <section>
        <h2>{aliases.title}</h2>
        <p>{aliases.lead}</p>
        <AliasTable
          rows={rows.map((alias) => ({ alias, form: null }))}
          removeAt={`${here}/aliases`}
        />
      </section>
      <section>
        <h2>{aliases.add}</h2>
        <ActionForm action={`${here}/aliases`} problems={problems} submit={aliases.go}>
          <Field
            name="alias.value"
            label={aliases.value}
            hint={aliases.valueHint}
            value={typed.value}
            problems={problems}
            autocomplete="off"
            required
          />
          <Select
            name="alias.provider"
            label={aliases.provider}
            value={typed.provider}
            options={PROVIDER_OPTIONS}
          />
        </ActionForm>
      </section>
      <section>
        <h2>{aliases.dialect}</h2>
        <p>{aliases.dialectHint}</p>
        <ActionForm action={`${here}/dialect`} problems={[]}>
          <Select
            name="dialect"
            label={aliases.provider}
            value={dialect}
            options={[{ value: '', label: aliases.dialectAuto }, ...PROVIDER_OPTIONS]}
          />
          <Actions>
            <Button kind="plain">{aliases.save}</Button>
          </Actions>
        </ActionForm>
      </section>
    </FormShell>
  );
}

interface AliasRow {
  alias: Pick<FormAlias, 'id' | 'provider' | 'value' | 'lastUsedAt' | 'lastPage'>;
  /** The form that it leads to, where the table has those of several. */
  form: { name: string; identifier: string } | null;
}

/**
 * Draws old ids, with what last came by each.
 * @param removeAt address behind which each is removed; absent where none is
 */
function AliasTable({ rows, removeAt }: { rows: AliasRow[]; removeAt?: string }) {
  const { live, aliases, providers } = moveWords;
  if (rows.length === 0) return <p class="hint">{live.empty}</p>;
  const hasForms = rows.some(({ form }) => form !== null);
  return (
    <div class="panel">
      <Table
        caption={live.caption}
        head={[live.id, hasForms && live.form, live.last, live.page, removeAt && aliases.remove]}
      >
        {rows.map(({ alias, form }) => (
          <tr>
            <th scope="row">
              <code>{alias.value}</code> <span class="hint">{providers[alias.provider]}</span>
            </th>
            {hasForms && (
              <td data-label={live.form}>
                {form && <a href={`/forms/${form.identifier}/aliases`}>{form.name}</a>}
              </td>
            )}
            <td class="quiet" data-label={live.last}>
              {alias.lastUsedAt ? <Age at={alias.lastUsedAt} /> : live.never}
            </td>
            <td class="quiet" data-label={live.page}>
              {alias.lastPage && <ExternalLink href={alias.lastPage} />}
            </td>
            {removeAt && (
              <td>
                <Confirm
                  action={`${removeAt}/${alias.id}/remove`}
                  label={aliases.remove}
                  question={aliases.removeHint}
                  go={aliases.remove}
                />
              </td>
            )}
          </tr>
        ))}
      </Table>
    </div>
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
    <Shell title={moveWords.title} section="move">
      <PageHead title={moveWords.title} />
      <p>{moveWords.lead}</p>
      <section>
        <h2>{moveWords.steps.forms}</h2>
        {props.isMade && props.moved ? <Made {...props.moved} /> : <Ask {...props} />}
      </section>
      <section>
        <h2>{moveWords.steps.submissions}</h2>
        <p>{moveWords.submissionsHint}</p>
      </section>
      <section>
        <h2>{moveWords.steps.host}</h2>
        <p>{moveWords.hostHint(baseUrl)}</p>
        <Hosts baseUrl={baseUrl} />
      </section>
      <section>
        <h2>{moveWords.steps.live}</h2>
        <p>{moveWords.live.hint}</p>
        <AliasTable rows={rows} />
      </section>
    </Shell>
  );
}

function Ask({ typed, problems, moved }: MovePageProps) {
  const options = [{ value: '', label: moveWords.any }, ...PROVIDER_OPTIONS];
  return (
    <ActionForm action="/move" problems={problems}>
      <Field
        name="move.content"
        label={moveWords.content}
        hint={moveWords.contentHint}
        value={typed.content}
        problems={problems}
        rows={10}
        required
      />
      <Select
        name="move.provider"
        label={moveWords.provider}
        value={typed.provider}
        options={options}
      />
      <Field
        name="move.project"
        label={moveWords.project}
        hint={moveWords.projectHint}
        value={typed.project}
        problems={problems}
        autocomplete="off"
      />
      {moved && (
        <>
          <h3>{moveWords.found(moved.forms.length)}</h3>
          <Forms forms={moved.forms} isMade={false} />
          {moved.forms.some(({ plan }) => plan.fields.length > 0) && (
            <p class="hint">{moveWords.rulesHint}</p>
          )}
        </>
      )}
      <Actions>
        {moved && (
          <Button name="make" value="true">
            {moveWords.make(moved.forms.length)}
          </Button>
        )}
        <Button kind={moved ? 'plain' : 'primary'}>{moveWords.look}</Button>
      </Actions>
    </ActionForm>
  );
}

function Made({ forms, page }: Moved) {
  return (
    <>
      <Notice kind="good">
        <p>{moveWords.made}</p>
      </Notice>
      <Forms forms={forms} isMade />
      {page !== null && (
        <>
          <h3>{moveWords.page}</h3>
          <p class="hint">{moveWords.pageHint}</p>
          <Copyable id="moved-page" text={page} />
        </>
      )}
    </>
  );
}

function Forms({ forms, isMade }: { forms: MovedForm[]; isMade: boolean }) {
  const { table, providers } = moveWords;
  return (
    <div class="panel">
      <Table caption={table.caption} head={[table.name, table.old, table.fields, table.state]}>
        {forms.map((form) => {
          const { plan, identifier } = form;
          return (
            <tr>
              <th scope="row">
                {identifier ? <a href={`/forms/${identifier}`}>{plan.name}</a> : plan.name}
              </th>
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
    </div>
  );
}

function FormState({ form, isMade }: { form: MovedForm; isMade: boolean }) {
  const { plan, wasHere, isReached } = form;
  if (plan.old && !isReached) return <State kind="warn">{moveWords.notReached}</State>;
  if (wasHere) return <State kind="quiet">{moveWords.isHere}</State>;
  return (
    <State kind={isMade ? 'good' : 'quiet'}>{isMade ? moveWords.wasMade : moveWords.isNew}</State>
  );
}

function Hosts({ baseUrl }: { baseUrl: string }) {
  const { hosts, providers } = moveWords;
  const known = PROVIDERS.flatMap((provider) => {
    const [old] = hostsOf(provider);
    return old === undefined ? [] : [{ provider, old }];
  });
  return (
    <div class="panel">
      <Table caption={moveWords.steps.host} head={[hosts.provider, hosts.old, hosts.next]}>
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
    </div>
  );
}
