import { PROVIDERS, type ProviderName } from '../../imports/formats/index.js';
import type { Import } from '../../imports/model/import.entity.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import { ActionForm, Actions, Button, Field, Select } from '../parts/controls.js';
import { Time } from '../parts/time.js';
import { importWords } from './words.js';
import { ImportState } from './parts.js';

export interface ImportsPageProps {
  form: FormShown;
  /** Newest first. */
  imports: readonly Import[];
  /** Name of the chosen provider. */
  provider: string;
  problems: FieldProblem[];
}

/** Draws the choice of a file of another service, and the imports of a form. */
export function ImportsPage({ form, imports, provider, problems }: ImportsPageProps) {
  const text = importWords;
  const providers = Object.entries(PROVIDERS).map(([value, { title }]) => ({
    value,
    label: title,
  }));
  return (
    <FormShell form={form} title={text.title} tab="settings" part="import">
      <section>
        <h2>{text.title}</h2>
        <p>{text.hint}</p>
        <ActionForm action={`/forms/${form.identifier}/import`} problems={problems} upload>
          <Select name="provider" label={text.provider} value={provider} options={providers} />
          <Field
            name="file"
            label={text.file}
            hint={text.fileHint}
            type="file"
            accept=".json,.csv,.ndjson,.jsonl,.txt,application/json,text/csv"
            problems={problems}
            required
          />
          <Actions>
            <Button>{text.look}</Button>
          </Actions>
        </ActionForm>
      </section>
      {imports.length > 0 && <Earlier identifier={form.identifier} imports={imports} />}
    </FormShell>
  );
}

function Earlier({ identifier, imports }: { identifier: string; imports: readonly Import[] }) {
  const text = importWords;
  return (
    <section>
      <h2>{text.earlier}</h2>
      <div class="panel">
        <table>
          <caption>{text.earlier}</caption>
          <thead>
            <tr>
              <th scope="col">{text.file}</th>
              <th scope="col">{text.provider}</th>
              <th scope="col">{text.begun}</th>
              <th scope="col">{text.state}</th>
              <th scope="col">{text.done}</th>
            </tr>
          </thead>
          <tbody>
            {imports.map((each) => (
              <tr>
                <th scope="row">
                  <a href={`/forms/${identifier}/import/${formatUuid(each.id)}`} dir="auto">
                    {each.fileName ?? text.unnamed}
                  </a>
                </th>
                <td class="quiet" data-label={text.provider}>
                  {titleOf(each.provider)}
                </td>
                <td class="quiet" data-label={text.begun}>
                  <Time at={each.createdAt} />
                </td>
                <td data-label={text.state}>
                  <ImportState state={each.state} />
                </td>
                <td class="quiet" data-label={text.done}>
                  {each.imported.toLocaleString('en')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Returns the name of a provider for people; a version that knew another may have stored it. */
export function titleOf(provider: string): string {
  return Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider as ProviderName].title : provider;
}
