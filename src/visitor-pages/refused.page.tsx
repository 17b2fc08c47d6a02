import type { ValueType } from '../forms/model/field-rule.js';
import type { Answer, RefusedAnswers } from './refused.js';
import { BackLink, Mark, Owner, type Sender } from './visitor.page.js';

/** Longest text in a field of one line, in characters. */
const LINE_MAX = 80;
/** Names of fields that pages have for longer texts, in some languages. */
const LONG_NAME =
  /message|comment|question|description|details|feedback|enquiry|inquiry|nachricht|bericht|mensaje/i;

const KEYBOARDS: Record<ValueType, 'text' | 'email' | 'url' | 'decimal'> = {
  ...{ text: 'text', email: 'email', url: 'url', number: 'decimal' },
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
      {!canSend && (
        <p>Your answers are not lost. Go back in your browser, change them, and send them again.</p>
      )}
      {hasFiles && (
        <p>
          Your files were not kept. If they are missing when you go back, choose them again there.
        </p>
      )}
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
                ...(answer.problem !== null && {
                  'aria-invalid': true,
                  'aria-describedby': `p${problemAt}`,
                }),
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
  if (problem !== null && rule?.oneOf) {
    return (
      <select {...given} {...required}>
        <option value="">–</option>
        {rule.oneOf.map((choice) => (
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
  const type = rule?.type ?? 'text';
  const keyboard = {
    inputmode: KEYBOARDS[type],
    ...(type === 'email' && { autocomplete: 'email' }),
  };
  return <input type="text" value={text} {...given} {...required} {...keyboard} />;
}

/** Tells whether the page of the form asks for a longer text, as its field's name or its rule says. */
function isLong({ name, rule }: Answer): boolean {
  const { type = 'text', minLength = 0, maxLength = 0 } = rule ?? {};
  if (type !== 'text') return false;
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

function idOf(answers: Answer[], name: string): string | null {
  const index = answers.findIndex((answer) => answer.name === name);
  return index < 0 ? null : `a${index}`;
}
