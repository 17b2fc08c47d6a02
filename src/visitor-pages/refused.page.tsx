import type { Field, FieldKind } from '../forms/model/field.js';
import { BackLink, Mark, Owner, type Sender } from './visitor.page.js';
import type { Form } from '../forms/model/form.entity.js';
import { SpamSettings } from '../spam/judge/spam-settings.js';
import { allowsOrigin } from '../spam/signals/origin.js';
import type { FieldsRefused } from '../submissions/model/submission.errors.js';

/** Longest text in a field of one line, in characters. */
const LINE_MAX = 80;
/** Names of fields that pages have for longer texts, in some languages. */
const LONG_NAME = /message|comment|question|description|details|feedback|enquiry|inquiry|nachricht|bericht|mensaje/i;

const KEYBOARDS: Partial<Record<FieldKind, 'email' | 'url' | 'decimal' | 'tel'>> = {
  ...{ email: 'email', url: 'url', number: 'decimal', tel: 'tel' },
};

/** Shows a visitor which answers break rules, and lets them correct these where that works. */
export function Refused(props: RefusedAnswers & Sender) {
  const { message, problems, answers, carried, canSend, hasFiles, brand, from } = props;
  return (
    <>
      {brand && <Owner {...brand} />}
      <Mark kind="bad" />
      <h1>Your submission was not sent</h1>
      <p>{message}</p>
      <ul>
        {problems.map(({ name, label, message }) => (
          <li>
            <FieldName label={label} id={canSend ? idOf(answers, name) : null} />: {message}
          </li>
        ))}
      </ul>
      {!canSend && <p>Your answers are not lost. Go back in your browser, change them, and send them again.</p>}
      {hasFiles && <p>Your files were not kept. If they are missing when you go back, choose them again there.</p>}
      {canSend ? <Correction answers={answers} carried={carried} /> : <Sent answers={answers} />}
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

/** Draws a form with what was typed, which leads to the address that this page comes from. */
function Correction({ answers, carried }: Pick<RefusedAnswers, 'answers' | 'carried'>) {
  const first = answers.findIndex(({ problem }) => problem !== null);
  return (
    <form method="post" accept-charset="UTF-8">
      {carried.map(({ name, text }) => (
        <input type="hidden" name={name} value={text} />
      ))}
      {answers.map((answer, index) => {
        const problemAt = answers.findIndex(({ name }) => name === answer.name);
        return (
          <div>
            <label for={`a${index}`} dir="auto">
              {answer.label}
            </label>
            <Input
              answer={answer}
              given={{
                id: `a${index}`,
                name: answer.name,
                dir: 'auto',
                autofocus: index === first,
                ...(answer.problem !== null && { 'aria-invalid': true, 'aria-describedby': `p${problemAt}` }),
              }}
            />
            {answer.problem !== null && index === problemAt && (
              <p class="problem" id={`p${index}`}>
                {answer.problem}
              </p>
            )}
          </div>
        );
      })}
      <button type="submit">Send again</button>
    </form>
  );
}

/** Draws the field of an answer, as text: a browser would drop what is typed and no number, for example. */
function Input({ answer, given }: { answer: Answer; given: Record<string, unknown> }) {
  const { text, rule, problem } = answer;
  const required = rule?.required === true ? { 'aria-required': true } : {};
  if (problem !== null && rule?.choices) {
    return (
      <select {...given} {...required}>
        <option value="">–</option>
        {rule.choices.map((choice) => (
          <option selected={choice === text}>{choice}</option>
        ))}
      </select>
    );
  }
  if (text.includes('\n') || text.length > LINE_MAX || isLong(answer)) {
    return (
      <textarea {...given} {...required} rows={6}>
        {/* Browsers drop a first line break. */}
        {`\n${text}`}
      </textarea>
    );
  }
  const type = rule?.kind ?? 'text';
  const keyboard = { inputmode: KEYBOARDS[type], ...(type === 'email' && { autocomplete: 'email' }) };
  return <input type="text" value={text} {...given} {...required} {...keyboard} />;
}

/** Tells whether the page of the form asks for a longer text, as its field's name or its rule says. */
function isLong({ name, rule }: Answer) {
  const { kind = 'text', minLength = 0, maxLength = 0 } = rule ?? {};
  if (kind === 'long_text') return true;
  if (kind !== 'text') return false;
  return Math.max(minLength, maxLength) > LINE_MAX || LONG_NAME.test(name);
}

function Sent({ answers }: { answers: Answer[] }) {
  if (answers.length === 0) return null;
  return (
    <>
      <h2>What you sent</h2>
      <dl>
        {answers.map(({ label, text, problem }) => (
          <div>
            <dt dir="auto">{label}</dt>
            <dd dir="auto">{text === '' ? '–' : text}</dd>
            {problem !== null && <dd class="problem">{problem}</dd>}
          </div>
        ))}
      </dl>
    </>
  );
}

function idOf(answers: Answer[], name: string) {
  const index = answers.findIndex((answer) => answer.name === name);
  return index < 0 ? null : `a${index}`;
}

/** Most answers that a page shows once more, and their length in characters. */
const ANSWERS_MAX = 100;
const ANSWERS_MAX_CHARS = 64 * 1024;
/** Matches origins that can stand in a policy: the host of a URL can have characters that end a directive. */
const PLAIN_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

/** An answer that was refused, or stands beside one that was. */
interface Answer {
  name: string;
  label: string;
  text: string;
  /** The rule of its field; null without one. */
  rule: Field | null;
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
  const rules = form.fields;
  const problems = new Map(fields.map((each) => [each.field, each.message]));
  const sent = new Set(values.map(({ name }) => name));
  const unsent = fields.filter(({ field }) => !sent.has(field));
  const asked = unsent.filter(({ field }) => isTyped(rules.of(field)));
  const all = [...values, ...asked.map(({ field }) => ({ name: field, text: '' }))];
  const isShort = isShortEnough(all);
  const answers = all.map(({ name, text }) => ({
    ...{ name, text, label: rules.labelOf(name), rule: rules.of(name) },
    problem: problems.get(name) ?? null,
  }));
  return {
    message,
    problems: fields.map(({ field: name, message }) => {
      return { name, label: rules.labelOf(name), message };
    }),
    answers: isShort ? answers : [],
    carried,
    canSend: isShort && files.length === 0 && asked.length === unsent.length && takesFrom(origin ?? ownOrigin, form),
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
 * Tells whether a person types the value of a field. One that did not come and is only required is as likely a box
 * to tick, or a file.
 */
function isTyped(field: Field | null) {
  const { kind = 'text', minLength, maxLength, pattern } = field ?? {};
  if (kind !== 'text') return kind !== 'check' && kind !== 'file' && kind !== 'hidden';
  return [minLength, maxLength, pattern].some((each) => each !== undefined);
}

function isShortEnough(values: readonly { name: string; text: string }[]) {
  const length = values.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
  return values.length <= ANSWERS_MAX && length <= ANSWERS_MAX_CHARS;
}

/** Tells whether a form takes answers without a token, for a visitor of this site. */
function takesFrom(origin: string, form: Readonly<Form>) {
  const { captcha, asksForProof } = SpamSettings.of(form);
  return captcha === null && !asksForProof && allowsOrigin(form.whitelistedDomains, origin);
}
