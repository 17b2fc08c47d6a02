import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Check, Field } from '../parts/controls.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';
import { FormHead, type FormShown } from '../form-head/form-head.js';
import type { OpeningTyped } from './opening.js';

const { opening: said } = words;

export interface OpeningPageProps {
  frame: Frame;
  form: FormShown;
  /** Sentence that visitors read now; null while the form is open. */
  shut: string | null;
  /** Submissions so far, without spam. */
  count: number;
  typed: OpeningTyped;
  problems: FieldProblem[];
}

/** Draws the switch that pauses a form, and when it closes. */
export function OpeningPage({ frame, form, shut, count, typed, problems }: OpeningPageProps) {
  return (
    <Shell title={`${said.title} · ${form.name}`} frame={frame} section="forms">
      <FormHead form={form} tab="settings" part="opening" />
      <section>
        <h2>{said.title}</h2>
        {shut === null ? (
          <p>{said.isOpen}</p>
        ) : (
          <p>
            {said.isShut} <q dir="auto">{shut}</q>
          </p>
        )}
        <ActionForm action={`/forms/${form.identifier}/intake`} problems={problems} class="fields">
          <Check
            name="intake.paused"
            label={said.paused}
            hint={said.pausedHint}
            checked={typed.paused}
          />
          <Field
            {...{ name: 'intake.closes_at', label: said.closesAt, type: 'datetime-local' }}
            {...{ value: typed.closesAt, problems, hint: said.closesAtHint(frame.timeZone) }}
          />
          <Field
            {...{ name: 'intake.max_submissions', label: said.max, hint: said.maxHint(count) }}
            {...{ value: typed.maxSubmissions, problems, autocomplete: 'off' }}
            inputmode="numeric"
          />
          <Check
            name="intake.merge_repeats"
            label={said.mergesRepeats}
            hint={said.mergesRepeatsHint}
            checked={typed.mergesRepeats}
          />
          <Field
            {...{ name: 'intake.message', label: said.message, hint: said.messageHint }}
            {...{ value: typed.message, problems, rows: 3 }}
          />
          <Actions>
            <Button>{words.form.save}</Button>
          </Actions>
        </ActionForm>
      </section>
    </Shell>
  );
}
