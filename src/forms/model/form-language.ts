import {
  ENGLISH,
  LANGUAGE_NAMES,
  LANGUAGES,
  languageOf,
  wordsIn,
  isKey,
  type Said,
  type Words,
} from '../../languages/words.js';
import { Parsed, type DomainError } from '../../platform/index.js';
import { HELP_MAX, LABEL_MAX, type Field } from './field.js';
import { FORM_SETTINGS, FORM_NAME_MAX, LINE_MAX, TEXT_MAX } from './form-settings.js';
import { FormShut } from './form.errors.js';
import type { Form } from './form.entity.js';
import { choice, optional, SettingGroup } from './setting.js';

/** The language of a form's visitors. */
export const LANGUAGE = new SettingGroup({
  path: 'language',
  routes: {
    show: 'Show the language of the visitors of a form.',
    set: 'Set the language of the visitors of a form: of its pages, its messages and the emails to them.',
  },
  settings: {
    language: optional(choice(LANGUAGES), {
      says: 'Language of pages, messages and emails for visitors',
      none: 'for that of the page with the form, else the one that the browser prefers',
      many: 'language',
      page: {
        section: 'visitors',
        label: 'Language',
        choices: LANGUAGE_NAMES,
        none: 'Automatic',
        hint: 'Automatic means the language of your page, or else of the browser.',
      },
    }),
  },
});

/** Longest text of each kind that an owner gives in another language, in characters. */
export const TRANSLATED = {
  ...{ submission_text: TEXT_MAX, closed_message: 500, page_title: FORM_NAME_MAX, page_text: TEXT_MAX },
  ...{ notify_submitter_subject: LINE_MAX, notify_submitter_body: TEXT_MAX },
};
export type TranslatedText = keyof typeof TRANSLATED;
export const OF_FIELD = { label: LABEL_MAX, help: HELP_MAX };
/** Most characters of all of them as JSON. */
const TRANSLATIONS_MAX = 500_000;

/** The texts of an owner in one language; what is absent is as the form has it. */
export interface Translation extends Partial<Record<TranslatedText, string>> {
  /** Labels and help of fields, by their names. */
  fields?: Readonly<Record<string, { label?: string; help?: string }>>;
}
/** They by language, as BCP 47 names it. */
export type Translations = Readonly<Record<string, Translation>>;

const textsOf = (lengths: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(lengths).map(([name, maxLength]) => [name, { type: 'string', maxLength }]));

/** A translation, as OpenAPI has it. */
const SCHEMA = {
  type: 'object',
  properties: {
    ...textsOf(TRANSLATED),
    fields: { type: 'object', additionalProperties: { type: 'object', properties: textsOf(OF_FIELD) } },
  },
};

/** The texts of an owner in other languages than the form's own. */
export const TRANSLATIONS = new SettingGroup({
  path: 'translations',
  column: 'translations',
  routes: {
    show: 'Show the texts of a form in other languages.',
    set: 'Set the texts of a form in other languages, such as `{"de": {"submission_text": "Danke!"}}`.',
  },
  settings: {
    translations: optional<Translations>(
      {
        type: 'object',
        members: { additionalProperties: SCHEMA },
        control: 'lines',
        rule: Parsed(
          'not_translations',
          parseTranslations,
          `must have languages, such as de, each with some of ${Object.keys(TRANSLATED).join(', ')} and fields, which has label and help by the name of a field`,
        ),
      },
      { says: 'Texts of the owner by language; visitors of other languages get those of the form', none: 'for none' },
    ),
  },
});

function parseTranslations(value: unknown): Translations | null {
  if (JSON.stringify(value ?? null).length > TRANSLATIONS_MAX) return null;
  const isGood = isRecord(value, (language, texts) => {
    if (!LANGUAGES.some((each) => each === language) || !isRecord(texts, () => true)) return false;
    const { fields = {}, ...others } = texts;
    return areTexts(others, TRANSLATED) && isRecord(fields, (_, field) => areTexts(field, OF_FIELD));
  });
  return isGood ? (value as Translations) : null;
}

function isRecord(value: unknown, isGood: (key: string, each: unknown) => boolean): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([key, each]) => isGood(key, each));
}

function areTexts(value: unknown, lengths: Readonly<Record<string, number>>) {
  return isRecord(value, (key, text) => {
    return (
      typeof text === 'string' &&
      text.isWellFormed() &&
      Object.hasOwn(lengths, key) &&
      text.length <= (lengths[key] ?? 0)
    );
  });
}

/** The part of a form that decides the language of its visitors. */
type Spoken = Pick<Form, 'language'>;

/**
 * Returns the words for a visitor.
 * @param form that chooses the language; null where it is not known
 * @param tag of the language that the visitor prefers, as BCP 47 has it
 */
export function wordsFor(form: Spoken | null, tag: string | null): Words {
  return wordsIn(languageOf(form?.language ?? null) ?? languageOf(tag) ?? 'en');
}

/** Returns what an owner says in the language of these words, as far as that is given. */
export function translated({ translations }: Pick<Form, 'translations'>, { language }: Words): Translation {
  return (translations === null ? null : TRANSLATIONS.decode(translations).translations?.[language]) ?? {};
}

/** Returns what a form says to those who have sent it. */
export function thanksIn(form: Pick<Form, 'submissionText' | 'translations'>, words: Words) {
  const own = translated(form, words).submission_text;
  if (own !== undefined) return own;
  const isOurs = form.submissionText === FORM_SETTINGS.defaults.submissionText;
  return isOurs ? words.say('thanks_text') : form.submissionText;
}

/** Returns what a form says of a field in the language of these words. */
export function fieldsIn(form: Pick<Form, 'fields' | 'translations'>, words: Words) {
  const own = new Map(Object.entries(translated(form, words).fields ?? {}));
  // Read once: each time takes as long as there are fields.
  const { fields } = form;
  return (name: string): { label: string; help: string | undefined; field: Field | null } => {
    const field = fields.of(name);
    const { label = fields.labelOf(name), help = field?.help } = own.get(name) ?? {};
    return { label, help, field };
  };
}

/** Returns how the fields of a form are called in the language of these words. */
export function labelsIn(...[form, words]: Parameters<typeof fieldsIn>): (name: string) => string {
  const of = fieldsIn(form, words);
  return (name) => of(name).label;
}

/** An error as its visitor reads it. */
export interface Told {
  message: string;
  /** Sentence about what the owner of the page has to mend, in English; null for nothing. */
  detail: string | null;
}

/** Tells a visitor of an error. @param form that was sent; null where it is not known */
export function toldOf(error: Pick<DomainError, 'code' | 'message'>, form: Readonly<Form> | null, words: Words): Told {
  const key = `error.${error.code}`;
  if (error instanceof FormShut && isKey(key) && error.message !== ENGLISH.tell({ key, values: {} })) {
    return { message: (form && translated(form, words).closed_message) ?? error.message, detail: null };
  }
  const { said = isKey(key) ? { key, values: {} } : null } = error as { said?: Said };
  return said
    ? { message: words.tell(said), detail: null }
    : { message: words.say('page_at_fault'), detail: error.message };
}
