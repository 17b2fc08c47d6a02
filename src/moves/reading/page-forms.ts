import { oldIdIn, providerOf, type OldId } from '../../aliases/old-address.js';
import type { Provider } from '../../aliases/provider.js';
import type { FieldLabel } from '../../forms/model/field-labels.js';
import type { FieldRule } from '../../forms/model/field-rule.js';
import { attributeOf, elementsOf, textOf } from '../../platform/html/elements.js';
import { readPage, type Element } from '../../platform/html/read-html.js';
import { FieldsOfPage } from './page-fields.js';

/** A form of a page. */
export interface PageForm {
  /** Name, as far as the page says; empty where it does not. */
  name: string;
  /** The provider that it is made for; null for none that is known. */
  provider: Provider | null;
  /** The id of that provider that it names; null for none. */
  old: OldId | null;
  labels: FieldLabel[];
  rules: FieldRule[];
  /** Name of the field that people do not see, as Netlify's pages say it; null where they do not. */
  honeypot: string | null;
  /** Where its opening tag stands in the text, and what it is. */
  tag: { start: number; end: number };
  element: Element;
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
export async function findPageForms(html: string): Promise<PageForm[]> {
  const all = elementsOf(await readPage(html));
  const title = textOf(all.find(({ element }) => element.tagName === 'title')?.element).trim();
  const fields = new FieldsOfPage(all);
  return all.flatMap(({ element }) => {
    const form = element.tagName === 'form' ? readForm(element, fields) : null;
    return form ? [{ ...form, name: form.name || title }] : [];
  });
}

function readForm(element: Element, fields: FieldsOfPage): PageForm | null {
  const tag = element.sourceCodeLocation?.startTag;
  if (!tag) return null;
  const action = attributeOf(element, 'action')?.trim() ?? '';
  const provider = netlifys(element, '') === null ? providerOf(action) : 'netlify';
  const honeypot = netlifys(element, '-honeypot')?.trim() ?? '';
  const { labels, rules, hidden, hasPassword } = fields.of(element, honeypot);
  const isPost = attributeOf(element, 'method')?.trim().toLowerCase() === 'post';
  if (provider === null && (!isPost || hasPassword)) return null;
  const key = (provider && KEYS[provider])?.map((name) => hidden.get(name)).find(Boolean);
  const old = provider && key ? { provider, value: key } : oldIdIn(action);
  const name = ['name', 'aria-label', 'data-name']
    .map((attribute) => attributeOf(element, attribute)?.trim())
    .find(Boolean);
  const { startOffset: start, endOffset: end } = tag;
  const said = { provider, old, labels, rules, honeypot: honeypot === '' ? null : honeypot };
  return { name: name ?? '', ...said, tag: { start, end }, element };
}

/** Returns an attribute that Netlify reads, which has two spellings; null without it. */
function netlifys(element: Element, ending: string): string | null {
  return attributeOf(element, `netlify${ending}`) ?? attributeOf(element, `data-netlify${ending}`);
}
