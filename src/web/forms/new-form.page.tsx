import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { PageHead } from '../parts/content.js';
import { Shell, type Frame } from '../layout/shell.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { words } from '../words.js';

/** Draws the page that asks for the name of a new form. */
export function NewFormPage(props: { frame: Frame; name: string; problems: FieldProblem[] }) {
  const { form } = words;
  return (
    <Shell title={form.create} frame={props.frame} section="forms">
      <PageHead title={form.create} up={{ href: '/forms', label: form.list }} />
      <ActionForm action="/forms" problems={props.problems}>
        <Field
          name="form.name"
          label={form.name}
          hint={form.createHint}
          value={props.name}
          problems={props.problems}
          required
          autofocus
          maxlength={255}
        />
        <Actions>
          <Button icon="plus">{form.create}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
