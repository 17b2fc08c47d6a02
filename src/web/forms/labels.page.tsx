import { fieldLabel } from '../../forms/model/field-label.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button } from '../parts/controls.js';
import { Empty } from '../parts/content.js';
import { formWords } from './words.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import type { FieldTyped } from './labels.js';

export interface LabelsPageProps {
  form: FormShown;
  fields: FieldTyped[];
  problems: FieldProblem[];
  /** Longest label, in characters. */
  labelMax: number;
}

/** Draws the fields of a form with what people read in place of their names, and their order. */
export function LabelsPage({ form, fields, problems, labelMax }: LabelsPageProps) {
  const { labels } = formWords;
  return (
    <FormShell form={form} title={labels.title} tab="settings" part="fields">
      <section>
        <h2>{labels.title}</h2>
        {fields.length === 0 ? (
          <Empty icon="clipboard-list" title={labels.emptyTitle}>
            <p>{labels.empty}</p>
          </Empty>
        ) : (
          <ActionForm action={`/forms/${form.identifier}/labels`} problems={problems}>
            <p class="hint">{labels.hint}</p>
            <table class="labels">
              <thead>
                <tr>
                  <th scope="col">{labels.field}</th>
                  <th scope="col">{labels.label}</th>
                  <th scope="col">{labels.place}</th>
                </tr>
              </thead>
              <tbody>
                {fields.map(({ name, label, place }, index) => (
                  <tr>
                    <th scope="row">
                      <code dir="auto">{name}</code>
                      <input type="hidden" name="name" value={name} />
                    </th>
                    <td class="field">
                      <input
                        name="label"
                        type="text"
                        value={label}
                        placeholder={fieldLabel(name)}
                        maxlength={labelMax}
                        aria-label={labels.labelOf(name)}
                        aria-invalid={isWrong(problems, index) ? true : undefined}
                        dir="auto"
                      />
                    </td>
                    <td class="field">
                      <input
                        name="place"
                        type="text"
                        inputmode="numeric"
                        value={place}
                        placeholder={labels.unplaced}
                        size={3}
                        maxlength={3}
                        aria-label={labels.placeOf(name)}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <Actions>
              <Button>{formWords.save}</Button>
            </Actions>
          </ActionForm>
        )}
      </section>
    </FormShell>
  );
}

function isWrong(problems: FieldProblem[], index: number): boolean {
  return problems.some(({ field }) => field.startsWith(`labels.${index}.`));
}
