import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldProblem } from '../../platform/index.js';
import { fieldLabel } from '../../forms/model/field.js';
import { Icon, type IconName } from './content.js';

/**
 * The form of a page. After a 422 the same page is shown again, with the values that were typed and
 * `problems`; the first field at fault gets the focus.
 *
 *     <ActionForm action="/sign-in" problems={problems} submit="Sign in">
 *       <Field name="email" label="Email address" type="email" value={typed.email} required />
 *       <Check name="shared" label="This is a shared device" />
 *     </ActionForm>
 */
export interface ActionFormProps {
  /** A path of this service; taken by `POST`. */
  action: string;
  /** The problems of all fields. */
  problems?: FieldProblem[];
  /** Returns the label of a field, where its name does not say it. */
  labelOf?: (field: string) => string;
  class?: string;
  /** Whether files are sent too. */
  upload?: boolean;
  /** Label, kind and icon of the button at the end; other buttons are among the children. */
  submit?: string;
  kind?: ButtonProps['kind'];
  icon?: IconName;
  children?: ComponentChildren;
}

/** The problems of the form around a field. */
const Problems = createContext<FieldProblem[]>([]);

/** Draws a form that works without script; problems that belong to no field stand on top. */
export function ActionForm(props: ActionFormProps) {
  const { action, problems = [], labelOf = fieldLabel, upload, kind, icon } = props;
  return (
    <form
      method="post"
      action={action}
      accept-charset="UTF-8"
      enctype={upload === true ? 'multipart/form-data' : undefined}
      class={props.class}
      novalidate
    >
      {problems.length > 0 && (
        <div class="notice bad" role="alert">
          <Icon name="circle-x" />
          <div>
            <p>{problems.length === 1 ? 'Please fix one problem:' : `Please fix ${problems.length} problems:`}</p>
            <ul>
              {problems.map(({ field, message }) => (
                <li>
                  <a href={`#${idOf(field)}`}>{labelOf(field)}</a>: {sentence(message, field)}
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
      <Problems.Provider value={problems}>{props.children}</Problems.Provider>
      {props.submit !== undefined && (
        <Actions>
          <Button {...{ kind, icon }}>{props.submit}</Button>
        </Actions>
      )}
    </form>
  );
}

export interface FieldProps {
  name: string;
  label: string;
  /** A sentence below the label. */
  hint?: ComponentChildren;
  /** By default from the form around it. */
  problems?: FieldProblem[] | undefined;
  value?: string | null | undefined;
  type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'date' | 'datetime-local' | 'file';
  /** Kinds of files, for `file`. */
  accept?: string;
  /** Id of a list of values to choose from. */
  list?: string;
  autocomplete?: string;
  inputmode?: 'text' | 'numeric' | 'email' | 'url';
  required?: boolean;
  autofocus?: boolean;
  /** Lines; more than one makes a text area. */
  rows?: number;
  maxlength?: number;
  /** Direction of what somebody else wrote, in whatever language. */
  dir?: 'auto';
}

/** Draws a labelled field with its hint and its problem, which screen readers read with it. */
export function Field({ name, label, hint, value, rows = 1, ...input }: FieldProps) {
  const id = idOf(name);
  const around = useContext(Problems);
  const problems = input.problems ?? around;
  const problem = problemOf(problems, name);
  const describedBy = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean);
  const common = {
    id,
    name,
    required: input.required,
    maxlength: input.maxlength,
    dir: input.dir,
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
            accept: input.accept,
            list: input.list,
            value: input.type === 'file' ? undefined : (value ?? ''),
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

/** The attributes for an input of type `text`: Preact's types allow some of them for certain types only. */
interface Typed {
  type: 'text';
  inputmode: 'text';
  list: string;
  value: string;
}

export interface CheckProps {
  name: string;
  label: string;
  hint?: string;
  /** The value that is sent when the box is ticked. */
  value?: string;
  checked?: boolean;
}

/** Draws a box to tick. */
export function Check({ name, label, hint, value = 'true', checked = false }: CheckProps) {
  const id = value === 'true' ? idOf(name) : `${idOf(name)}-${value}`;
  return (
    <div class="check">
      <input type="checkbox" {...{ id, name, value, checked }} aria-describedby={hint && `${id}-hint`} />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type SelectOption = string | { value: string; label: string };

export interface SelectProps {
  name: string;
  label: string;
  value: string;
  /** In their order, or labels by their values. */
  options: readonly SelectOption[] | Readonly<Record<string, SelectOption>>;
  hint?: string | undefined;
}

/** Draws a labelled choice of one. */
export function Select({ name, label, value, options, hint }: SelectProps) {
  const id = idOf(name);
  const listed = Object.entries(options).map(([key, each]: [string, SelectOption]) => {
    return typeof each === 'string' ? { value: key, label: each } : each;
  });
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <select id={id} name={name} aria-describedby={hint && `${id}-hint`}>
        {listed.map((option) => (
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
  /** Whether the row that it acts on leaves its list. */
  leaves?: boolean;
  /** A path that the form is sent to in place of its own. */
  action?: string;
  /** Name of the frame that shows the answer in place of the page. */
  frame?: string;
}

/** Draws the button that sends its form. */
export function Button(props: ButtonProps) {
  const { children, kind = 'primary', icon, leaves, action, frame, ...sent } = props;
  const more = { formaction: action, formtarget: frame, 'data-leaves': leaves ? '' : undefined };
  return (
    <button type="submit" class={`button ${kind}`} {...sent} {...more}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

/** Draws a form that is its button alone. */
export function ActionButton(
  props: Omit<ButtonProps, 'action'> & {
    /** A path of this service; taken by `POST`. */
    action: string;
    class?: string;
    /** Values that it sends. */
    fields?: Readonly<Record<string, string>>;
  },
) {
  const { action, class: look, fields = {}, ...button } = props;
  return (
    <ActionForm action={action} class={look}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button {...button} />
    </ActionForm>
  );
}

/** Draws a link that looks like a button: it opens a page and changes nothing. */
export function LinkButton({ href, children, kind = 'plain', icon }: ButtonProps & { href: string }) {
  return (
    <a href={href} class={`button ${kind}`}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  );
}

/** Returns the problem of a field as a sentence without its name; null when there is none. */
function problemOf(problems: FieldProblem[] | undefined, name: string) {
  const problem = problems?.find(({ field }) => field === name);
  return problem ? sentence(problem.message, name) : null;
}

function isFirst(problems: FieldProblem[] | undefined, name: string) {
  return problems?.[0]?.field === name;
}

/** Returns a message of the API without the path of the field, which the label says already. */
export function sentence(message: string, name: string) {
  const rest = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

function idOf(name: string) {
  return `f-${name.replace(/[^\w-]+/g, '-')}`;
}
