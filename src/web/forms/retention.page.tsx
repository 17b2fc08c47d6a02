import type { FieldProblem } from '../../platform/kernel/errors.js';
import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { PageHead } from '../parts/content.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

export interface RetentionPageProps {
  frame: Frame;
  form: { name: string; identifier: string };
  /** As it was typed; empty to keep submissions. */
  days: string;
  problems: FieldProblem[];
}

/** Draws the days after which a form's submissions are deleted. */
export function RetentionPage({ frame, form, days, problems }: RetentionPageProps) {
  const { retention } = words.form;
  const settings = `/forms/${form.identifier}/settings`;
  return (
    <Shell title={`${retention.title} · ${form.name}`} frame={frame} section="forms">
      <PageHead title={retention.title} up={{ href: settings, label: form.name }} />
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
          <Button>{words.form.save}</Button>
          <LinkButton href={settings}>{words.cancel}</LinkButton>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
