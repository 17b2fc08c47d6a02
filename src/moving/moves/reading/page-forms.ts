import { CHOICES_MAX, LABEL_MAX, type Field, type FieldKind } from '../../../forms/model/field.js';
import { FIELD_NAME_MAX } from '../../../forms/model/form-values.js';
import { attributeOf, elementsOf, textOf, type Placed, type Element, readPage } from '../../../platform/index.js';
import { oldIdIn, providerOf, type Provider } from '../../../forms/aliases/old-address.js';
import type { PlannedForm } from '../model/planned-form.js';

/** Most fields of a form that are looked at. */
const FIELDS_MAX = 300;
/** Kinds of inputs that are no question to the visitor. */
const NO_QUESTION = new Set(['hidden', 'submit', 'button', 'reset', 'image']);
/** Fields by which pages speak to their provider. */
const SPECIAL = /^(?:_|g-recaptcha|h-captcha|cf-turnstile|formbackend_nono$|botcheck$|bot-field$|form-name$)/;

/** The fields of a form. */
interface PageFields {
  known: Field[];
  /** Values of hidden fields. */
  hidden: Map<string, string>;
  hasPassword: boolean;
}

/** Knows the fields of all forms of a page: those in a form, and those that name it by `form`. */
class FieldsOfPage {
  private readonly byForm = new Map<Element, Placed[]>();
  /** Labels by the id of their field. */
  private readonly labels = new Map<string, Element>();
  /** Texts of labels: one label can be that of many fields. */
  private readonly texts = new Map<Element, string>();

  constructor(all: readonly Placed[]) {
    const forms = new Map<string, Element>();
    for (const { element } of all) {
      const id = attributeOf(element, 'id');
      if (element.tagName === 'form' && id !== null) forms.set(id, element);
      const named = element.tagName === 'label' ? attributeOf(element, 'for') : null;
      if (named !== null) this.labels.set(named, element);
    }
    for (const placed of all) {
      if (!/^(?:input|select|textarea)$/.test(placed.element.tagName)) continue;
      const named = attributeOf(placed.element, 'form');
      const form = named === null ? placed.form : forms.get(named);
      if (!form) continue;
      const own = this.byForm.get(form) ?? [];
      if (own.length < FIELDS_MAX) own.push(placed);
      this.byForm.set(form, own);
    }
  }

  /** Returns what is known of the fields of a form. @param honeypot name of the field that people do not see; empty for none */
  of(form: Element, honeypot: string): PageFields {
    const own = this.byForm.get(form) ?? [];
    const found: PageFields = { known: [], hidden: new Map(), hasPassword: false };
    const known = new Set<string>();
    const byName = alikeAmong(own);
    for (const { element, label: around } of own) {
      const name = attributeOf(element, 'name') ?? '';
      const type = typeOf(element);
      if (type === 'password') found.hasPassword = true;
      if (type === 'hidden') found.hidden.set(name, attributeOf(element, 'value') ?? '');
      if (name === '' || name.length > FIELD_NAME_MAX || NO_QUESTION.has(type)) continue;
      if (SPECIAL.test(name) || name === honeypot || known.has(name)) continue;
      known.add(name);
      const label = this.labelOf(element, around);
      const field = fieldOf(element, name, type, byName.get(name) ?? []);
      found.known.push({ ...field, ...(label !== '' && { label }) });
    }
    return found;
  }

  /** Returns what a person reads at a field; nothing for one of several choices, where that is the choice. */
  private labelOf(element: Element, around: Element | null) {
    if (/^(?:radio|checkbox)$/.test(typeOf(element))) return '';
    const labels = [this.labels.get(attributeOf(element, 'id') ?? ''), around];
    const text = [
      ...labels.map((label) => label && this.textOf(label)),
      attributeOf(element, 'aria-label')?.trim(),
      attributeOf(element, 'placeholder')?.trim(),
    ].find(Boolean);
    return Array.from((text ?? '').slice(0, 2 * LABEL_MAX))
      .slice(0, LABEL_MAX)
      .join('');
  }

  private textOf(label: Element) {
    const text = this.texts.get(label) ?? withoutMark(textOf(label));
    this.texts.set(label, text);
    return text;
  }
}

/** Returns a label without the signs behind it, as in “Email: *”. */
function withoutMark(label: string) {
  let end = label.length;
  while (end > 0 && ' *:'.includes(label.charAt(end - 1))) end--;
  return label.slice(0, end).trim();
}

function typeOf(element: Element) {
  if (element.tagName !== 'input') return element.tagName;
  return attributeOf(element, 'type')?.toLowerCase() ?? 'text';
}

function alikeAmong(own: readonly Placed[]) {
  const byName = new Map<string, Element[]>();
  for (const { element } of own) {
    const name = attributeOf(element, 'name') ?? '';
    byName.set(name, [...(byName.get(name) ?? []), element]);
  }
  return byName;
}

/** The kinds of fields by the tags and types of HTML; others are texts. */
const KINDS: Readonly<Record<string, FieldKind>> = {
  ...{ textarea: 'long_text', email: 'email', url: 'url', tel: 'tel', number: 'number' },
  ...{ date: 'date', radio: 'choice', select: 'choice', checkbox: 'check', file: 'file' },
};

function fieldOf(element: Element, name: string, type: string, alike: Element[]): Field {
  const choices = choicesOf(element, type, alike);
  const isMany = attributeOf(element, 'multiple') !== null || (type === 'checkbox' && choices);
  const found = Object.hasOwn(KINDS, type) ? (KINDS[type] ?? 'text') : 'text';
  const kind = isMany && found !== 'file' ? 'choices' : found;
  const pattern = attributeOf(element, 'pattern');
  return {
    name,
    kind: choices === null && (kind === 'choice' || kind === 'choices') ? 'text' : kind,
    ...(alike.some((each) => attributeOf(each, 'required') !== null) && { required: true }),
    ...(kind === 'number' && numbers({ min: 'min', max: 'max' }, element)),
    ...(choices === null && numbers({ minLength: 'minlength', maxLength: 'maxlength' }, element)),
    ...(pattern && { pattern }),
    ...(choices && { choices }),
  };
}

/** Returns the attributes of these names that are numbers. */
function numbers(names: Record<string, string>, element: Element): Partial<Field> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([key, attribute]) => {
      const text = attributeOf(element, attribute)?.trim() ?? '';
      return text === '' || !Number.isFinite(Number(text)) ? [] : [[key, Number(text)]];
    }),
  );
}

/** Returns the values that a visitor chooses from; null where any can be written. */
function choicesOf(element: Element, type: string, alike: Element[]) {
  const values =
    type === 'select'
      ? elementsOf(element)
          .map((placed) => placed.element)
          .filter(({ tagName }) => tagName === 'option')
          .map((option) => attributeOf(option, 'value') ?? textOf(option).trim())
      : type === 'radio' || (type === 'checkbox' && alike.length > 1)
        ? alike.map((radio) => attributeOf(radio, 'value') ?? 'on')
        : [];
  const named = [...new Set(values)].filter((value) => value !== '');
  const fits = named.every((value) => value.length <= FIELD_NAME_MAX);
  return named.length > 0 && named.length <= CHOICES_MAX && fits ? named : null;
}

/** Fields that name the form at a provider whose address does not. */
const KEYS: Partial<Record<Provider, readonly string[]>> = {
  web3forms: ['access_key', 'apikey'],
  forminit: ['forminitFormId'],
};

/**
 * Finds the forms of a page that visitors send to a form service, in their order. Forms that only search or sign in are
 * none of these.
 * @throws HtmlTooComplex
 */
export async function findPageForms(html: string): Promise<PlannedForm[]> {
  const all = elementsOf(await readPage(html));
  const title = textOf(all.find(({ element }) => element.tagName === 'title')?.element).trim();
  const fields = new FieldsOfPage(all);
  return all.flatMap(({ element }) => {
    const form = element.tagName === 'form' ? readForm(element, fields) : null;
    return form ? [{ ...form, name: form.name || title }] : [];
  });
}

function readForm(element: Element, fields: FieldsOfPage): PlannedForm | null {
  if (!element.sourceCodeLocation?.startTag) return null;
  const action = attributeOf(element, 'action')?.trim() ?? '';
  const provider = netlifys(element, '') === null ? providerOf(action) : 'netlify';
  const honeypot = netlifys(element, '-honeypot')?.trim() ?? '';
  const { known, hidden, hasPassword } = fields.of(element, honeypot);
  const isPost = attributeOf(element, 'method')?.trim().toLowerCase() === 'post';
  if (provider === null && (!isPost || hasPassword)) return null;
  const key = (provider && KEYS[provider])?.map((name) => hidden.get(name)).find(Boolean);
  const old = provider && key ? { provider, value: key } : oldIdIn(action);
  const name = ['name', 'aria-label', 'data-name']
    .map((attribute) => attributeOf(element, attribute)?.trim())
    .find(Boolean);
  return {
    name: name ?? '',
    ...{ provider, old, fields: known, honeypot: honeypot === '' ? null : honeypot },
    ...{ emails: null, element },
  };
}

/** Returns an attribute that Netlify reads, which has two spellings; null without it. */
function netlifys(element: Element, ending: string) {
  return attributeOf(element, `netlify${ending}`) ?? attributeOf(element, `data-netlify${ending}`);
}
