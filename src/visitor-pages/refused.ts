import { FieldRules } from '../forms/model/field-rules.js';
import type { FieldRule } from '../forms/model/field-rule.js';
import type { Form } from '../forms/model/form.entity.js';
import { SpamSettings } from '../spam/judge/spam-settings.js';
import { allowsOrigin } from '../spam/signals/origin.js';
import type { FieldsRefused } from '../submissions/model/submission.errors.js';

/** Most answers that a page shows once more, and their length in characters. */
const ANSWERS_MAX = 100;
const ANSWERS_MAX_CHARS = 64 * 1024;
/** Matches origins that can stand in a policy: the host of a URL can have characters that end a directive. */
const PLAIN_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

/** An answer that was refused, or stands beside one that was. */
export interface Answer {
  name: string;
  label: string;
  text: string;
  /** The rule of its field; null without one. */
  rule: FieldRule | null;
  /** A sentence about what is wrong with its field; null when nothing is. */
  problem: string | null;
}

/** Content of the page for a visitor whose answers break rules. */
export interface RefusedAnswers {
  message: string;
  /** The problems, each under the label of its field. */
  problems: { name: string; label: string; message: string }[];
  /** All answers, in the order in which they were sent; none where they are too many or too long. */
  answers: Answer[];
  /** Fields that go along with them and are not shown. */
  carried: Carried['fields'];
  /** Whether the visitor can change the answers on this page and send them again. */
  canSend: boolean;
  hasFiles: boolean;
}

/** Parts of a refused submission that its visitor does not see, which go along with the corrected answers. */
export interface Carried {
  fields: readonly { name: string; text: string }[];
  /** Where its page leads on to; null for where the form does. */
  target: string | null;
  /** Site that the visitor came from; null where it is not known. */
  origin: string | null;
  /** Address of the visitor's page, or of its site alone; null where it is not known. */
  page: string | null;
}

export const NOTHING_CARRIED: Carried = { fields: [], target: null, origin: null, page: null };

/**
 * Returns the content of the page that shows refused answers.
 * @param carried fields that go along with them, and the site that the visitor came from
 * @param ownOrigin the origin of the page itself
 */
export function refusedAnswers(
  refused: FieldsRefused,
  { fields: carried, origin }: Carried,
  ownOrigin: string,
): RefusedAnswers {
  const { form, fields, message } = refused;
  const { values, files } = refused.answers;
  const rules = FieldRules.decode(form.fieldRules);
  const problems = new Map(fields.map((each) => [each.field, each.message]));
  const sent = new Set(values.map(({ name }) => name));
  const unsent = fields.filter(({ field }) => !sent.has(field));
  const asked = unsent.filter(({ field }) => isTyped(rules.of(field)));
  const all = [...values, ...asked.map(({ field }) => ({ name: field, text: '' }))];
  const isShort = isShortEnough(all);
  const answers = all.map(({ name, text }) => ({
    ...{ name, text, label: form.labels.of(name), rule: rules.of(name) },
    problem: problems.get(name) ?? null,
  }));
  return {
    message,
    problems: fields.map(({ field: name, message }) => {
      return { name, label: form.labels.of(name), message };
    }),
    answers: isShort ? answers : [],
    carried,
    canSend:
      isShort &&
      files.length === 0 &&
      asked.length === unsent.length &&
      takesFrom(origin ?? ownOrigin, form),
    hasFiles: files.length > 0,
  };
}

/**
 * Returns where the form of the page can lead, as a source list: browsers apply it to the redirect after the
 * submission too.
 * @param target where the visitor's own page leads; null for where the form does
 */
export function targetsOf({ redirectUrl }: Form, target: string | null, baseUrl: string): string {
  const { origin } = new URL(target ?? redirectUrl ?? baseUrl);
  return PLAIN_ORIGIN.test(origin) ? `'self' ${origin}` : "'self'";
}

/**
 * Tells whether a person types the value of a field. One that did not come and is only required is as likely a box
 * to tick, or a file.
 */
function isTyped(rule: FieldRule | null): boolean {
  const { type, min, max, minLength, maxLength, pattern, oneOf } = rule ?? {};
  return [type, min, max, minLength, maxLength, pattern, oneOf].some((each) => each !== undefined);
}

function isShortEnough(values: readonly { name: string; text: string }[]): boolean {
  const length = values.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
  return values.length <= ANSWERS_MAX && length <= ANSWERS_MAX_CHARS;
}

/** Tells whether a form takes answers without a token, for a visitor of this site. */
function takesFrom(origin: string, form: Readonly<Form>): boolean {
  const { captcha, asksForProof } = SpamSettings.of(form);
  return captcha === null && !asksForProof && allowsOrigin(form.whitelistedDomains, origin);
}
