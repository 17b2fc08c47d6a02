import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { formWords } from './words.js';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import { GroupForm, type SettingValues } from './setting-fields.js';

export interface GeneralPageProps extends SettingValues {
  form: FormShown;
  /** Submissions that are deleted with the form. */
  count: number;
}

/** Name of the field that confirms that the form is deleted. */
const DELETES = 'typed_name';

/** Draws the name of a form, and the buttons that duplicate and delete it. */
export function GeneralPage(props: GeneralPageProps) {
  const { form, count, refused } = props;
  const said = formWords;
  const here = `/forms/${form.identifier}`;
  const ofName = refused?.problems.filter(({ field }) => field !== DELETES);
  const problems = refused?.problems.filter(({ field }) => field === DELETES) ?? [];
  return (
    <FormShell form={form} title={said.settings} tab="settings" part="general">
      <div class="halves">
        <GroupForm
          {...props}
          group="general"
          action={`${here}/settings`}
          refused={ofName ? { group: 'general', problems: ofName } : null}
        />
        <section>
          <h2>{said.duplicate}</h2>
          <p class="hint">{said.duplicateHint}</p>
          <ActionForm action={`${here}/duplicates`}>
            <Button kind="plain" icon="copy-plus">
              {said.duplicate}
            </Button>
          </ActionForm>
        </section>
      </div>
      {form.mayErase && (
        <section class="apart">
          <h2>{said.delete}</h2>
          <p class="hint">{said.deleteHint(count)}</p>
          <ActionForm action={`${here}/delete`}>
            <Field
              {...{ name: DELETES, label: said.typeName(form.name), problems }}
              value=""
              autocomplete="off"
            />
            <Actions>
              <Button kind="danger" icon="trash-2">
                {said.delete}
              </Button>
            </Actions>
          </ActionForm>
        </section>
      )}
    </FormShell>
  );
}
