import { FIELDS_MAX, type Field } from '../forms/model/field.js';
import { isOwnPage } from '../forms/model/form-page.js';
import { askedFields, FilledForm, type AskedField } from './form.page.js';
import { BackLink, Mark, Owner, type Sender } from './visitor.page.js';
import { useWords } from './layout.js';
import { labelsIn } from '../forms/model/form-language.js';
import type { Words } from '../languages/words.js';
import type { Form } from '../forms/model/form.entity.js';
import { SpamSettings } from '../spam/judge/spam-settings.js';
import { allowsOrigin } from '../spam/signals/origin.js';
import type { FieldsRefused } from '../submissions/model/submission.errors.js';

/** Shows a visitor which answers break rules, and lets them correct these where that works. */
export function Refused(props: RefusedAnswers & Sender) {
  const { message, problems, answers, carried, canSend, hasFiles, brand, from } = props;
  const words = useWords();
  return (
    <>
      {brand && <Owner {...brand} />}
      <Mark kind="bad" />
      <h1>{words.say('not_sent')}</h1>
      <p>{message}</p>
      <ul>
        {problems.map(({ name, label, message }) => (
          <li>
            <FieldName label={label} id={canSend ? idOf(answers, name) : null} />: {message}
          </li>
        ))}
      </ul>
      {!canSend && <p>{words.say('answers_kept')}</p>}
      {hasFiles && <p>{words.say('files_not_kept')}</p>}
      {canSend ? (
        <FilledForm fields={answers} carried={carried} button={words.say('send_again')} />
      ) : (
        <Sent answers={answers} />
      )}
      <BackLink from={from} />
    </>
  );
}

function FieldName({ label, id }: { label: string; id: string | null }) {
  if (id === null) return <strong dir="auto">{label}</strong>;
  return (
    <a href={`#${id}`} dir="auto">
      {label}
    </a>
  );
}

function Sent({ answers }: { answers: readonly AskedField[] }) {
  if (answers.length === 0) return null;
  return (
    <>
      <h2>{useWords().say('what_you_sent')}</h2>
      <dl>
        {answers.map(({ label, texts, problem }) => (
          <div>
            <dt>
              <bdi>{label}</bdi>
            </dt>
            <dd>
              <bdi>{texts.join(', ') || '–'}</bdi>
            </dd>
            {problem !== null && <dd class="problem">{problem}</dd>}
          </div>
        ))}
      </dl>
    </>
  );
}

function idOf(answers: readonly AskedField[], name: string) {
  const index = answers.findIndex((answer) => answer.name === name);
  return index < 0 ? null : `a${index}`;
}

/** Most answers that a page shows once more, and their length in characters. */
const ANSWERS_MAX = FIELDS_MAX;
const ANSWERS_MAX_CHARS = 64 * 1024;
/** Matches origins that can stand in a policy: the host of a URL can have characters that end a directive. */
const PLAIN_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

/** Content of the page for a visitor whose answers break rules. */
export interface RefusedAnswers {
  message: string;
  /** The problems, each under the label of its field. */
  problems: { name: string; label: string; message: string }[];
  /** All answers, in the order in which they were sent; none where they are too many or too long. */
  answers: AskedField[];
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
  { fields: carried, origin, page }: Carried,
  ownOrigin: string,
  words: Words,
): RefusedAnswers {
  const { form, fields } = refused;
  const { values, files } = refused.answers;
  const rules = form.fields;
  const labelOf = labelsIn(form, words);
  const problems = new Map(fields.map((each) => [each.field, each.message]));
  const sent = new Set(values.map(({ name }) => name));
  const unsent = fields.filter(({ field }) => !sent.has(field));
  const asked = unsent.filter(({ field }) => isDrawn(rules.of(field)));
  const isOwn = isOwnPage(form, page);
  // Boxes that are not ticked are not sent.
  const left = isOwn ? rules.list.filter(({ name }) => !sent.has(name)) : [];
  const more = [...left.map(({ name }) => name), ...(isOwn ? [] : asked.map(({ field }) => field))];
  const all = [...values, ...more.map((name) => ({ name, text: '' }))];
  const isShort = isShortEnough(all);
  return {
    message: words.say('error.invalid_fields'),
    problems: fields.map(({ field: name, message }) => ({ name, label: labelOf(name), message })),
    answers: isShort ? askedFields(form, words, isOwn ? rules.sorted(all) : all, problems) : [],
    carried,
    canSend:
      isShort &&
      files.length === 0 &&
      asked.length === unsent.length &&
      takesPlain(form) &&
      (isOwn || allowsOrigin(form.whitelistedDomains, origin ?? ownOrigin)),
    hasFiles: files.length > 0,
  };
}

/**
 * Returns where the form of the page can lead, as a source list: browsers apply it to the redirect after the
 * submission too.
 * @param target where the visitor's own page leads; null for where the form does
 */
export function targetsOf({ redirectUrl }: Form, target: string | null, baseUrl: string) {
  const { origin } = new URL(target ?? redirectUrl ?? baseUrl);
  return PLAIN_ORIGIN.test(origin) ? `'self' ${origin}` : "'self'";
}

/**
 * Tells whether a field that did not come can be asked for. One that is only required is as likely a box to tick, or a
 * file, unless its kind is known.
 */
function isDrawn(field: Field | null) {
  const { kind = 'text', minLength, maxLength, pattern } = field ?? {};
  if (kind !== 'text') return kind !== 'hidden';
  return [minLength, maxLength, pattern].some((each) => each !== undefined);
}

function isShortEnough(values: readonly { name: string; text: string }[]) {
  const length = values.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
  return values.length <= ANSWERS_MAX && length <= ANSWERS_MAX_CHARS;
}

/** Tells whether a form takes answers without a token. */
function takesPlain(form: Readonly<Form>) {
  const { captcha, asksForProof } = SpamSettings.of(form);
  return captcha === null && !asksForProof;
}
