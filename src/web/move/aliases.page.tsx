import type { FormAlias } from '../../aliases/form-alias.entity.js';
import { PROVIDERS } from '../../aliases/provider.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import { Confirm } from '../parts/confirm.js';
import { ActionForm, Actions, Button, Field, Select } from '../parts/controls.js';
import { ExternalLink } from '../parts/content.js';
import { Age } from '../parts/time.js';
import { moveWords } from './words.js';

/** Providers to choose from. */
export const PROVIDER_OPTIONS = PROVIDERS.map((value) => ({
  value,
  label: moveWords.providers[value],
}));

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
    <FormShell form={form} title={aliases.title} tab="settings" part="aliases">
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
        <ActionForm action={`${here}/aliases`} problems={problems}>
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
          <Actions>
            <Button>{aliases.go}</Button>
          </Actions>
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

export interface AliasRow {
  alias: Pick<FormAlias, 'id' | 'provider' | 'value' | 'lastUsedAt' | 'lastPage'>;
  /** The form that it leads to, where the table has those of several. */
  form: { name: string; identifier: string } | null;
}

/**
 * Draws old ids, with what last came by each.
 * @param removeAt address behind which each is removed; absent where none is
 */
export function AliasTable({ rows, removeAt }: { rows: AliasRow[]; removeAt?: string }) {
  const { live, aliases, providers } = moveWords;
  if (rows.length === 0) return <p class="hint">{live.empty}</p>;
  const hasForms = rows.some(({ form }) => form !== null);
  return (
    <div class="panel">
      <table>
        <caption>{live.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{live.id}</th>
            {hasForms && <th scope="col">{live.form}</th>}
            <th scope="col">{live.last}</th>
            <th scope="col">{live.page}</th>
            {removeAt && <th scope="col">{aliases.remove}</th>}
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </div>
  );
}
