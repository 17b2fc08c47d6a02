import type { ComponentChildren } from 'preact';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { fieldLabel } from '../../submissions/values/field-label.js';
import { words } from '../words.js';
import { Icon, type IconName } from './icon.js';

/**
 * Forms of pages. A page that answers 422 is the same page again, with what was typed and
 * `problems`; the first field at fault gets the focus.
 *
 *     <ActionForm action="/sign-in" problems={problems}>
 *       <Field name="email" label={words.signIn.email} type="email" value={typed.email} required />
 *       <Check name="shared" label={words.signIn.shared} />
 *       <Actions><Button>{words.signIn.go}</Button></Actions>
 *     </ActionForm>
 */
export interface ActionFormProps {
  /** A path of this service; taken by `POST`. */
  action: string;
  /** What is wrong with the input; `problemOf` returns it for each field. */
  problems?: FieldProblem[];
  class?: string;
  children: ComponentChildren;
}

/** Draws a form that works without script; problems that belong to no field stand on top. */
export function ActionForm({ action, problems = [], class: style, children }: ActionFormProps) {
  return (
    <form method="post" action={action} accept-charset="UTF-8" class={style} novalidate>
      {problems.length > 0 && (
        <div class="notice bad" role="alert">
          <Icon name="circle-x" />
          <div>
            <p>{words.forms.problems(problems.length)}</p>
            <ul>
              {problems.map(({ field, message }) => (
                <li>
                  <a href={`#${idOf(field)}`}>{fieldLabel(field)}</a>: {sentence(message, field)}
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {children}
    </form>
  );
}

export interface FieldProps {
  name: string;
  label: string;
  /** Says what is wanted, under the label. */
  hint?: ComponentChildren;
  problems?: FieldProblem[] | undefined;
  value?: string | null | undefined;
  type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'date';
  autocomplete?: string;
  inputmode?: 'text' | 'numeric' | 'email' | 'url';
  required?: boolean;
  autofocus?: boolean;
  /** Lines; more than one makes a text area. */
  rows?: number;
  maxlength?: number;
}

/** Draws a labelled field with its hint and its problem, tied to it for readers of the screen. */
export function Field({ name, label, hint, problems, value, rows = 1, ...input }: FieldProps) {
  const id = idOf(name);
  const problem = problemOf(problems, name);
  const describedBy = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean);
  const common = {
    id,
    name,
    required: input.required,
    maxlength: input.maxlength,
    autocomplete: input.autocomplete,
    autofocus: input.autofocus === true || isFirst(problems, name),
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
  } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {rows > 1 ? (
        <textarea {...common} rows={rows} value={value ?? ''} />
      ) : (
        <input
          {...common}
          {...({
            type: input.type ?? 'text',
            inputmode: input.inputmode,
            value: value ?? '',
          } as Typed)}
        />
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          <Icon name="circle-x" /> {problem}
        </p>
      )}
    </div>
  );
}

/** Preact ties some attributes to one type of input, which is chosen here. */
interface Typed {
  type: 'text';
  inputmode: 'text';
  value: string;
}

export interface CheckProps {
  name: string;
  label: string;
  hint?: string;
  /** What is sent when it is ticked. */
  value?: string;
  checked?: boolean;
}

/** Draws a box to tick. */
export function Check({ name, label, hint, value = 'true', checked = false }: CheckProps) {
  const id = value === 'true' ? idOf(name) : `${idOf(name)}-${value}`;
  return (
    <div class="check">
      <input
        type="checkbox"
        {...{ id, name, value, checked }}
        aria-describedby={hint && `${id}-hint`}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export interface SelectProps {
  name: string;
  label: string;
  value: string;
  options: { value: string; label: string }[];
}

/** Draws a labelled choice of one. */
export function Select({ name, label, value, options }: SelectProps) {
  const id = idOf(name);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Holds the buttons of a form; the first is the primary one. */
export function Actions({ children }: { children: ComponentChildren }) {
  return <div class="actions">{children}</div>;
}

export interface ButtonProps {
  children: ComponentChildren;
  /** `primary` once a page; `danger` for what cannot be undone. */
  kind?: 'primary' | 'plain' | 'danger';
  icon?: IconName;
  name?: string;
  value?: string;
}

/** Draws the button that sends its form. */
export function Button({ children, kind = 'primary', icon, name, value }: ButtonProps) {
  return (
    <button type="submit" class={`button ${kind}`} name={name} value={value}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

/** Draws a link that looks like a button: it opens a page and changes nothing. */
export function LinkButton({
  href,
  children,
  kind = 'plain',
  icon,
}: ButtonProps & { href: string }) {
  return (
    <a href={href} class={`button ${kind}`}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  );
}

/** Returns what is wrong with a field, as a sentence without its name, or null. */
function problemOf(problems: FieldProblem[] | undefined, name: string): string | null {
  const problem = problems?.find(({ field }) => field === name);
  return problem ? sentence(problem.message, name) : null;
}

function isFirst(problems: FieldProblem[] | undefined, name: string): boolean {
  return problems?.[0]?.field === name;
}

/** The API's messages begin with the path of the field, which the label says already. */
function sentence(message: string, name: string): string {
  const rest = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

function idOf(name: string): string {
  return `f-${name.replace(/[^\w-]+/g, '-')}`;
}
