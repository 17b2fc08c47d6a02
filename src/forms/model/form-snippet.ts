import { normalise } from '../../platform/index.js';
import { fieldLabel, type Field } from './field.js';

/** The script that sends forms in place: its name, and the hash of its content where the name has one content for ever. */
export interface SnippetScript {
  name: string;
  integrity: string | null;
}

/** A form as a snippet shows it. */
export interface SnippetForm {
  /** The public address that takes submissions. */
  address: string;
  name: string;
  /** Fields of its page; without any it asks for an email address and a message. */
  fields: readonly Field[];
}

/** Corrections reach pages with this name by themselves. */
const NEWEST: SnippetScript = { name: 'f.js', integrity: null };

const USUAL: readonly Field[] = [
  { name: 'email', kind: 'email', label: 'Your email', required: true },
  { name: 'message', kind: 'long_text', required: true },
];

/** Returns the fields that pages with a form have. */
export function fieldsOnPage({ fields }: Pick<SnippetForm, 'fields'>): readonly Field[] {
  return fields.length > 0 ? fields : USUAL;
}

/**
 * Writes a form that owners paste into a page, and the line that loads its script. The form is sent without the script too.
 * @param more lines in front of its button
 */
export function formSnippet(form: SnippetForm, script = NEWEST, more = '') {
  return `${formHtml(form, more)}
${scriptHtml(form.address, script)}`;
}

/** Writes the form alone. Agents in browsers know it by the attributes of WebMCP; others leave them alone. */
export function formHtml(form: SnippetForm, more = '') {
  const fields = fieldsOnPage(form);
  const enctype = fields.some(({ kind }) => kind === 'file') ? ' enctype="multipart/form-data"' : '';
  const tool = `toolname="${toolName(form.name)}" tooldescription="${escaped(toolDescription(form.name))}"`;
  return `<form data-fcs action="${form.address}" method="post" accept-charset="UTF-8"${enctype}
  ${tool}>
${fields.map(fieldHtml).join('\n')}
  <input type="text" name="_gotcha" hidden tabindex="-1" autocomplete="off" toolparamdescription="${LEAVE_EMPTY}">${more}
  <button type="submit">Send</button>
</form>`;
}

/** Tells agents that fill in forms to leave out the honeypot. */
export const LEAVE_EMPTY = 'Leave this empty';

/** Returns the name that agents in browsers call a form by: letters, digits and underscores. */
export function toolName(name: string) {
  const plain = normalise(name, 'NFKD').replace(/\p{M}+/gu, '');
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? ['form'];
  return `send_${words.join('_')}`.slice(0, 64);
}

/** Tells such an agent what it does. */
export function toolDescription(name: string) {
  return `Send the form ${name} to the owner of this site`;
}

/** Writes the line that loads the script. */
export function scriptHtml(address: string, { name, integrity }: SnippetScript) {
  const hash = integrity === null ? '' : ` integrity="${integrity}"`;
  return `<script src="${new URL(`/${name}`, address).href}"${hash} crossorigin="anonymous" async></script>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
  // Components in JSX are indented.
  '\n': '&#10;',
  // Templates of Svelte, Astro, Hugo and React read braces.
  ...{ '{': '&#123;', '}': '&#125;' },
};

function escaped(text: string) {
  return text.replace(/[&<>"{}\n]/g, (letter) => ENTITIES[letter] ?? letter);
}

function fieldHtml(field: Field) {
  const { name, kind, help, choices = [], required = false } = field;
  const given = attributesOf(field);
  if (kind === 'hidden') return `  <input type="hidden"${given} value="">`;
  const label = escaped(field.label ?? fieldLabel(name));
  const hint = help === undefined ? '' : ` <small>${escaped(help)}</small>`;
  const whole = (control: string) => `  <label>${label} ${control}${hint}</label>`;
  switch (kind) {
    case 'long_text':
      return whole(`<textarea${given}></textarea>`);
    case 'check':
      return `  <label><input type="checkbox"${given} value="yes"> ${label}${hint}</label>`;
    case 'choice': {
      const none = `<option value="">${required ? 'Choose…' : ''}</option>`;
      return whole(
        `<select${given}>${none}${choices.map((each) => `<option>${escaped(each)}</option>`).join('')}</select>`,
      );
    }
    case 'choices': {
      const boxes = choices.map((choice) => {
        const value = escaped(choice);
        return `    <label><input type="checkbox" name="${escaped(name)}" value="${value}"> ${value}</label>\n`;
      });
      return `  <fieldset>\n    <legend>${label}${hint}</legend>\n${boxes.join('')}  </fieldset>`;
    }
    default:
      return whole(`<input type="${kind}"${given}>`);
  }
}

function attributesOf({ name, kind, required, min, max, minLength, maxLength, pattern, fileTypes }: Field) {
  const values = {
    ...{ name, min, max, minlength: minLength, maxlength: maxLength },
    pattern: kind === 'long_text' ? undefined : pattern,
    accept: fileTypes?.join(','),
    step: kind === 'number' ? 'any' : undefined,
  };
  const written = Object.entries(values).filter(([, value]) => value !== undefined);
  const texts = written.map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  return `${texts.join('')}${required === true && kind !== 'hidden' ? ' required' : ''}`;
}
