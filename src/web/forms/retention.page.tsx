import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { formWords } from './words.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';

export interface RetentionPageProps {
  form: FormShown;
  /** Days as they are stored; null for ever. */
  kept: number | null;
  /** As it was typed; empty to keep submissions. */
  days: string;
  problems: FieldProblem[];
}

/** Draws the days after which a form's submissions are deleted. */
export function RetentionPage({ form, kept, days, problems }: RetentionPageProps) {
  const { retention } = formWords;
  return (
    <FormShell form={form} title={retention.title} tab="settings" part="retention">
      <section>
        <h2>{retention.title}</h2>
        <p>{kept === null ? retention.kept : retention.keptFor(kept)}</p>
        <ActionForm action={`/forms/${form.identifier}/retention`} problems={problems}>
          <Field
            name="days"
            label={retention.days}
            hint={retention.daysHint}
            value={days}
            problems={problems}
            inputmode="numeric"
            autocomplete="off"
          />
          <Actions>
            <Button>{formWords.save}</Button>
          </Actions>
        </ActionForm>
      </section>
    </FormShell>
  );
}
