import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { PageHead } from '../parts/content.js';
import { Shell } from '../layout/shell.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formHeadWords } from '../form-head/words.js';
import { formWords } from './words.js';

/** Draws the page that asks for the name of a new form. */
export function NewFormPage(props: { name: string; problems: FieldProblem[] }) {
  return (
    <Shell title={formWords.create} section="forms">
      <PageHead title={formWords.create} up={{ href: '/forms', label: formHeadWords.list }} />
      <ActionForm action="/forms" problems={props.problems}>
        <Field
          name="form.name"
          label={formWords.name}
          hint={formWords.createHint}
          value={props.name}
          problems={props.problems}
          required
          autofocus
          maxlength={255}
        />
        <Actions>
          <Button icon="plus">{formWords.create}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
