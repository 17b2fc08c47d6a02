import { h, type ComponentChildren } from 'preact';
import { useWords } from './layout.js';
import type { Field, FieldKind } from '../forms/model/field.js';
import type { Form } from '../forms/model/form.entity.js';
import { fieldsIn } from '../forms/model/form-language.js';
import type { Words } from '../languages/words.js';
import { bytesText } from '../forms/model/form-fields.js';
import { LEAVE_EMPTY, toolDescription, toolName } from '../forms/model/form-snippet.js';
import { Owner, type Whose } from './visitor.page.js';

/** Longest text in a field of one line, in characters. */
const LINE_MAX = 80;
/** Most choices that are all seen at once. */
const SEEN_MAX = 7;
/** Kinds that are types of inputs. */
const TYPES: ReadonlySet<FieldKind> = new Set(['email', 'url', 'tel', 'number', 'date']);
/** Names of fields that pages have for longer texts, in some languages. */
const LONG_NAME = /message|comment|question|description|details|feedback|enquiry|inquiry|nachricht|bericht|mensaje/i;

/** A field as a visitor is asked for it. */
export interface AskedField {
  name: string;
  label: string;
  help?: string | undefined;
  /** Null for one that its form does not list. */
  field: Field | null;
  /** Texts that are filled in; several for a field of several choices. */
  texts: readonly string[];
  /** A sentence about what is wrong with it; null when nothing is. */
  problem: string | null;
}

/** Kinds whose values belong to one control. */
const GROUPED: ReadonlySet<string> = new Set(['choice', 'choices', 'check']);

/**
 * Returns fields as a visitor is asked for them, one for each value; values of one control together.
 * @param problems sentences by the name of the field
 */
export function askedFields(
  form: Readonly<Form>,
  words: Words,
  values: readonly { name: string; text: string }[],
  problems: ReadonlyMap<string, string> = new Map(),
): AskedField[] {
  const of = fieldsIn(form, words);
  const grouped = new Map<string, string[]>();
  const asked: AskedField[] = [];
  for (const { name, text } of values) {
    const { label, help, field } = of(name);
    const others = grouped.get(name);
    if (others) {
      others.push(text);
      continue;
    }
    const texts = [text];
    if (GROUPED.has(field?.kind ?? '')) grouped.set(name, texts);
    asked.push({ ...{ name, label, help, field, texts }, problem: problems.get(name) ?? null });
  }
  return asked;
}

/** Content of the form on a page. */
interface Filled {
  fields: readonly AskedField[];
  /** Fields that go along and are not shown. */
  carried: readonly { name: string; text: string }[];
  button: string;
  /** Title of a form's own page, which sends in place and is a tool of agents in browsers (WebMCP). */
  tool?: string;
  children?: ComponentChildren;
}

/** Draws the page of a form. */
export function FormPage(props: Filled & { brand: Whose; title: string; text: string | null }) {
  return (
    <>
      <Owner {...props.brand} />
      <h1>
        <bdi>{props.title}</bdi>
      </h1>
      {props.text !== null && (
        <p class="text" dir="auto">
          {props.text}
        </p>
      )}
      <FilledForm {...props} tool={props.title}>
        <input
          type="text"
          name="_gotcha"
          hidden
          tabIndex={-1}
          autocomplete="off"
          {...{ toolparamdescription: LEAVE_EMPTY }}
        />
      </FilledForm>
    </>
  );
}

/** Draws a form that leads to the address of the page; the first field with a problem is at hand. */
export function FilledForm({ fields, carried, button, tool, children }: Filled) {
  const first = fields.findIndex(({ problem }) => problem !== null);
  const hasFiles = fields.some(({ field }) => field?.kind === 'file');
  const asksAll = fields.every(({ field }) => field?.required !== true);
  return (
    <form
      method="post"
      accept-charset="UTF-8"
      {...(tool !== undefined && { 'data-fcs': '', toolname: toolName(tool), tooldescription: toolDescription(tool) })}
      {...(hasFiles && { enctype: 'multipart/form-data' })}
    >
      {carried.map(({ name, text }) => (
        <input type="hidden" name={name} value={text} />
      ))}
      {fields.map((asked, index) => (
        <Asked asked={asked} index={index} isFirst={index === first} marksOptional={!asksAll} />
      ))}
      {children}
      <button type="submit">{button}</button>
    </form>
  );
}

interface AskedProps {
  asked: AskedField;
  index: number;
  isFirst: boolean;
  marksOptional: boolean;
}

/** Draws a field with its label, its help and what is wrong with it. */
function Asked({ asked, index, isFirst, marksOptional }: AskedProps) {
  const words = useWords();
  const { name, field, problem } = asked;
  if (field?.kind === 'hidden' && problem === null) {
    return asked.texts.map((text) => <input type="hidden" name={name} value={text} />);
  }
  const help = helpOf(asked, words);
  const isOptional = marksOptional && field !== null && field.required !== true;
  const label = isOptional ? words.say('optional', { label: asked.label }) : asked.label;
  const described = [help === '' ? '' : `h${index}`, problem === null ? '' : `p${index}`].filter(Boolean).join(' ');
  const given = {
    ...{ name, dir: 'auto' as const, autofocus: isFirst },
    ...(problem !== null && { 'aria-invalid': true }),
    ...(described !== '' && { 'aria-describedby': described }),
  };
  const more = (
    <>
      {help !== '' && (
        <p class="help" id={`h${index}`}>
          <bdi>{help}</bdi>
        </p>
      )}
      {problem !== null && (
        <p class="problem" id={`p${index}`}>
          {problem}
        </p>
      )}
    </>
  );
  const required = field?.required === true;
  if (field?.kind === 'check') {
    const isChecked = asked.texts.some((text) => text !== '');
    return (
      <div>
        <label class="box" for={`a${index}`}>
          <input type="checkbox" id={`a${index}`} value="yes" checked={isChecked} {...given} required={required} />
          <bdi>{label}</bdi>
        </label>
        {more}
      </div>
    );
  }
  const choices = field?.choices ?? [];
  const isMany = field?.kind === 'choices';
  if (choices.length > 0 && (isMany || (field?.kind === 'choice' && choices.length <= SEEN_MAX))) {
    return (
      <fieldset id={`a${index}`} {...(described !== '' && { 'aria-describedby': described })}>
        <legend>
          <bdi>{label}</bdi>
        </legend>
        {choices.map((choice, at) => (
          <label class="box">
            <input
              type={isMany ? 'checkbox' : 'radio'}
              value={choice}
              checked={asked.texts.includes(choice)}
              {...{ name, autofocus: isFirst && at === 0, required: required && !isMany }}
            />
            <bdi>{choice}</bdi>
          </label>
        ))}
        {more}
      </fieldset>
    );
  }
  return (
    <div>
      <label for={`a${index}`}>
        <bdi>{label}</bdi>
      </label>
      <Input asked={asked} given={{ ...given, id: `a${index}`, required }} />
      {more}
    </div>
  );
}

/** Draws the input of a field that is typed, chosen from a long list or a file. */
function Input({ asked, given }: { asked: AskedField; given: Record<string, unknown> }) {
  const words = useWords();
  const { field, texts, problem } = asked;
  const [text = ''] = texts;
  const { kind = 'text', min, max, minLength, maxLength, pattern, choices, fileTypes } = field ?? {};
  if (choices) {
    return (
      <select {...given}>
        <option value="">{words.say('choose')}</option>
        {choices.map((choice) => (
          <option selected={choice === text}>{choice}</option>
        ))}
      </select>
    );
  }
  const bounds = { minLength, maxLength };
  if (text.includes('\n') || text.length > LINE_MAX || isLong(asked)) {
    return (
      <textarea {...given} {...bounds} rows={6}>
        {/* Browsers drop a first line break. */}
        {`\n${text}`}
      </textarea>
    );
  }
  if (kind === 'file') return <input type="file" {...given} accept={fileTypes?.join(',')} />;
  // A browser would drop what is typed and no number, for example.
  const type = problem === null && TYPES.has(kind) ? kind : 'text';
  const keyboard = kind === 'number' ? 'decimal' : kind;
  const typed = {
    ...{ type, value: text, ...given, ...bounds, min, max, pattern },
    ...(kind === 'number' && { step: 'any' }),
    ...((kind === 'email' || kind === 'tel') && { autocomplete: kind }),
    ...(TYPES.has(kind) && kind !== 'date' && { inputmode: keyboard }),
  };
  // Preact's types tell inputs apart by a type that is written out.
  return h('input', typed as object);
}

/** Tells whether the page of the form asks for a longer text, as its field's name or its rule says. */
function isLong({ name, field }: AskedField) {
  const { kind = 'text', minLength = 0, maxLength = 0 } = field ?? {};
  if (kind === 'long_text') return true;
  if (kind !== 'text') return false;
  return Math.max(minLength, maxLength) > LINE_MAX || LONG_NAME.test(name);
}

/** Returns the help of a field, with what its files may be. */
function helpOf({ help = '', field }: AskedField, words: Words) {
  const { fileTypes, maxFileBytes } = field?.kind === 'file' ? field : {};
  const types = fileTypes ? words.say('file_types', { types: fileTypes.join(', ') }) : '';
  const size = maxFileBytes === undefined ? '' : words.say('file_size', { size: bytesText(maxFileBytes) });
  return [help, types, size].filter((each) => each !== '').join(' ');
}
