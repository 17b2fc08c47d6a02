import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Check, Field } from '../parts/controls.js';
import { formWords, openingWords } from './words.js';
import { useFrame } from '../layout/shell.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import type { OpeningTyped } from './opening.js';

export interface OpeningPageProps {
  form: FormShown;
  /** Sentence that visitors read now; null while the form is open. */
  shut: string | null;
  /** Submissions so far, without spam. */
  count: number;
  typed: OpeningTyped;
  problems: FieldProblem[];
}

/** Draws the switch that pauses a form, and when it closes. */
export function OpeningPage({ form, shut, count, typed, problems }: OpeningPageProps) {
  const { timeZone } = useFrame();
  return (
    <FormShell form={form} title={openingWords.title} tab="settings" part="opening">
      <section>
        <h2>{openingWords.title}</h2>
        {shut === null ? (
          <p>{openingWords.isOpen}</p>
        ) : (
          <p>
            {openingWords.isShut} <q dir="auto">{shut}</q>
          </p>
        )}
        <ActionForm action={`/forms/${form.identifier}/intake`} problems={problems} class="fields">
          <Check
            name="intake.paused"
            label={openingWords.paused}
            hint={openingWords.pausedHint}
            checked={typed.paused}
          />
          <Field
            {...{ name: 'intake.closes_at', label: openingWords.closesAt, type: 'datetime-local' }}
            {...{
              value: typed.closesAt,
              problems,
              hint: openingWords.closesAtHint(timeZone),
            }}
          />
          <Field
            {...{
              name: 'intake.max_submissions',
              label: openingWords.max,
              hint: openingWords.maxHint(count),
            }}
            {...{ value: typed.maxSubmissions, problems, autocomplete: 'off' }}
            inputmode="numeric"
          />
          <Check
            name="intake.merge_repeats"
            label={openingWords.mergesRepeats}
            hint={openingWords.mergesRepeatsHint}
            checked={typed.mergesRepeats}
          />
          <Field
            {...{
              name: 'intake.message',
              label: openingWords.message,
              hint: openingWords.messageHint,
            }}
            {...{ value: typed.message, problems, rows: 3 }}
          />
          <Actions>
            <Button>{formWords.save}</Button>
          </Actions>
        </ActionForm>
      </section>
    </FormShell>
  );
}
