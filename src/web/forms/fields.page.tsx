import { HELP_MAX, LABEL_MAX, type Field as FormField, fieldLabel, PATTERN_MAX } from '../../forms/model/field.js';
import type { FieldProblem } from '../../platform/index.js';
import {
  ActionForm,
  Actions,
  Button,
  Check,
  Field,
  LinkButton,
  Select,
  Icon,
  Section,
  Fold,
  Confirm,
} from '../parts/index.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import { FIELD_PREFIX as PREFIX, NUMBERS, ORDER, type FieldTexts } from './settings-typed.js';
import { fieldWords, formWords } from './words.js';

/** Draws the fields of a form, each a link to what it asks for; the script moves them. */
export function FieldList({ form, fields }: { form: FormShown; fields: readonly FormField[] }) {
  const here = `/forms/${form.identifier}`;
  return (
    <>
      {fields.length === 0 ? (
        <p class="hint">
          No fields yet. Add them by hand, paste the HTML of your form, or take them from what visitors sent.
        </p>
      ) : (
        <ol class="field-list" data-sorts="Moved">
          {fields.map((field) => (
            <li>
              <input type="hidden" name={ORDER} value={field.name} />
              <button type="button" class="grip" hidden aria-label={`Move ${field.name} with the arrow keys`}>
                <Icon name="grip-vertical" />
              </button>
              <a href={`${here}/fields/${encodeURIComponent(field.name)}`}>
                <code dir="auto">{field.name}</code>
                <b dir="auto">{field.label ?? fieldLabel(field.name)}</b>
                <span class="hint">{summaryOf(field)}</span>
                <Icon name="chevron-right" />
              </a>
            </li>
          ))}
        </ol>
      )}
      <div class="actions">
        <LinkButton href={`${here}/new-field`} icon="plus">
          {fieldWords.add}
        </LinkButton>
      </div>
    </>
  );
}

/** Says in a few words what a field is and asks for. */
function summaryOf({ kind, required, choices, inInbox, unique, ...field }: FormField) {
  const { min, max, minLength, maxLength, pattern } = field;
  const isLimited = [min, max, minLength, maxLength, pattern].some((each) => each !== undefined);
  return [
    fieldWords.kinds[kind],
    choices && (choices.length === 1 ? '1 choice' : `${choices.length} choices`),
    required && 'required',
    isLimited && 'limits',
    unique && 'one per sender',
    inInbox && 'in the inbox',
  ]
    .filter(Boolean)
    .join(' · ');
}

export interface FieldPageProps {
  form: FormShown;
  /** Name of the field that is changed; null for a new one. */
  former: string | null;
  texts: FieldTexts;
  problems: FieldProblem[];
}

/** Draws the sheet of one field. */
export function FieldPage({ form, former, texts, problems }: FieldPageProps) {
  const here = `/forms/${form.identifier}`;
  const title = former ?? fieldWords.add;
  return (
    <FormShell form={form} title={title} tab="settings">
      <section class="field-sheet">
        <p>
          <a href={`${here}/settings#fields`}>‹ {formWords.sections.fields}</a>
        </p>
        <h2 dir="auto">{title}</h2>
        <ActionForm
          action={former === null ? `${here}/new-field` : fieldPath(form, former)}
          problems={problems}
          labelOf={labelOf}
          class="fields"
          submit={formWords.save}
        >
          <Inputs texts={texts} problems={problems} />
        </ActionForm>
        {former === null ? (
          <OtherWays here={here} />
        ) : (
          <Confirm
            action={`${fieldPath(form, former)}/delete`}
            label={fieldWords.remove}
            question="Its label and rules are removed. Submissions keep their values."
            go={fieldWords.remove}
            icon="trash-2"
          />
        )}
      </section>
    </FormShell>
  );
}

function fieldPath(form: FormShown, name: string) {
  return `/forms/${form.identifier}/fields/${encodeURIComponent(name)}`;
}

function Inputs({ texts, problems }: Pick<FieldPageProps, 'texts' | 'problems'>) {
  const { inputs, hints } = fieldWords;
  const given = (name: keyof typeof inputs) => ({
    ...{ name: PREFIX + name, label: inputs[name], value: texts[name] ?? '', problems },
    ...{ autocomplete: 'off', hint: (hints as Record<string, string | undefined>)[name] },
  });
  const ticked = (name: 'required' | 'in_inbox' | 'unique') => ({
    ...{ name: PREFIX + name, label: inputs[name], checked: texts[name] === 'true' },
    hint: hints[name],
  });
  const isUsed = (names: readonly string[]) =>
    names.some((name) => (texts[name] ?? '') !== '' || problems.some(({ field }) => field === PREFIX + name));
  const limits = ['pattern', ...NUMBERS.slice(0, 4)];
  const ofFiles = ['file_types', 'max_file_bytes'];
  return (
    <>
      <Field {...given('name')} required />
      <Field {...given('label')} maxlength={LABEL_MAX} dir="auto" />
      <Select
        {...{ name: `${PREFIX}kind`, label: inputs.kind, value: texts.kind ?? 'text' }}
        options={fieldWords.kinds}
      />
      <Check {...ticked('required')} />
      <Check {...ticked('in_inbox')} />
      <Check {...ticked('unique')} />
      <Field {...given('choices')} rows={4} dir="auto" />
      <Field {...given('help')} maxlength={HELP_MAX} dir="auto" />
      <Fold title="Limits of the value" open={isUsed(limits)}>
        <div class="pair">
          <Field {...given('min')} />
          <Field {...given('max')} />
        </div>
        <div class="pair">
          <Field {...given('min_length')} inputmode="numeric" />
          <Field {...given('max_length')} inputmode="numeric" />
        </div>
        <Field {...given('pattern')} maxlength={PATTERN_MAX} />
      </Fold>
      <Fold title="Limits of files" open={isUsed(ofFiles)}>
        <Field {...given('file_types')} rows={3} />
        <Field {...given('max_file_bytes')} inputmode="numeric" />
      </Fold>
      <Field {...given('place')} inputmode="numeric" />
    </>
  );
}

/** Draws how many fields come at once: from a page, and from what visitors sent. */
function OtherWays({ here }: { here: string }) {
  return (
    <>
      <Section class="apart" title="Paste the HTML of your form">
        <ActionForm action={`${here}/fields-of-page`} class="fields">
          <Field
            {...{
              name: 'html',
              label: 'HTML',
              hint: 'The whole page, or the part with the form. Fields that are listed already stay as they are.',
              rows: 6,
            }}
            value=""
          />
          <Actions>
            <Button kind="plain">Add its fields</Button>
          </Actions>
        </ActionForm>
      </Section>
      <Section
        class="apart"
        title="Take them from submissions"
        hint="Adds the fields of the newest submissions that are not listed yet."
      >
        <ActionForm action={`${here}/fields-of-submissions`}>
          <Button kind="plain">Add these fields</Button>
        </ActionForm>
      </Section>
    </>
  );
}

function labelOf(field: string) {
  const inputs: Record<string, string | undefined> = fieldWords.inputs;
  return inputs[field.replace(PREFIX, '')] ?? field;
}
