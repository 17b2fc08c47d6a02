import { fieldLabel, HELP_MAX, LABEL_MAX } from '../../forms/model/field.js';
import type { Form } from '../../forms/model/form.entity.js';
import { TRANSLATED, type Translation, type TranslatedText } from '../../forms/model/form-language.js';
import { PAGE } from '../../forms/model/form-page.js';
import { INTAKE } from '../../forms/model/intake-gate.js';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../languages/words.js';
import type { FieldProblem } from '../../platform/index.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import { ActionForm, Field } from '../parts/index.js';
import { SHOWN_FIELDS } from './settings-typed.js';
import { formWords, translationWords } from './words.js';

/** Draws links to the texts of a form in each language. */
export function TranslationLinks({ form, given }: { form: FormShown; given: readonly string[] }) {
  return (
    <details>
      <summary>{translationWords.title(given.length)}</summary>
      <ul class="links">
        {LANGUAGES.map((language) => (
          <li>
            <a href={`/forms/${form.identifier}/translations?language=${language}`}>{LANGUAGE_NAMES[language]}</a>
            {given.includes(language) && ' ✓'}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface TranslationPageProps {
  form: FormShown;
  /** The form with its own texts, which visitors get where a language has none. */
  of: Form;
  language: Language;
  translation: Translation;
  problems: FieldProblem[];
}

/** Draws the sheet of a form's texts in a language. */
export function TranslationPage({ form, of, language, translation, problems }: TranslationPageProps) {
  const { list } = of.fields;
  return (
    <FormShell form={form} title={LANGUAGE_NAMES[language]} tab="settings">
      <section class="field-sheet">
        <p>
          <a href={`/forms/${form.identifier}/settings#visitors`}>‹ {formWords.sections.visitors}</a>
        </p>
        <h2>{LANGUAGE_NAMES[language]}</h2>
        <p class="hint">{translationWords.hint}</p>
        <ActionForm
          action={`/forms/${form.identifier}/translations?language=${language}`}
          {...{ problems, class: 'fields', submit: formWords.save }}
        >
          {(Object.entries(own(of)) as [TranslatedText, string | null][]).map(([name, text]) => (
            <Field
              {...{ name, dir: 'auto', problems, label: translationWords.texts[name], value: translation[name] ?? '' }}
              {...{ hint: text ?? '', maxlength: TRANSLATED[name] }}
              rows={TRANSLATED[name] > LINE ? 3 : 1}
            />
          ))}
          {list.map(({ name, label: said = fieldLabel(name), help = '' }, at) => {
            const { label = '', help: helped = '' } = translation.fields?.[name] ?? {};
            return (
              <>
                <input type="hidden" name={SHOWN_FIELDS} value={name} />
                <Field {...{ name: `label.${at}`, dir: 'auto', label: said, value: label, maxlength: LABEL_MAX }} />
                <Field
                  {...{ name: `help.${at}`, dir: 'auto', label: translationWords.help(said), hint: help }}
                  {...{ value: helped, maxlength: HELP_MAX }}
                />
              </>
            );
          })}
        </ActionForm>
      </section>
    </FormShell>
  );
}

/** Longest text for one line, in characters. */
const LINE = 255;

/** Returns the texts that the form has. */
function own(form: Form): Record<TranslatedText, string | null> {
  const { title, text } = PAGE.of(form);
  return {
    submission_text: form.submissionText,
    notify_submitter_subject: form.notifySubmitterSubject,
    notify_submitter_body: form.notifySubmitterBody,
    closed_message: INTAKE.of(form).message,
    page_title: title ?? form.name,
    page_text: text,
  };
}
