import { elementsOf, plain } from './page.js';
import type { Browser } from './people.js';
import type { FormBody } from './service.js';

/** A form of a page. */
export interface PageForm {
  method: 'GET' | 'POST';
  path: string;
  /** The names of what it asks for. */
  names: string[];
}

/** Where the links of a page lead within the service; files and exports are no pages. */
export function linksOn(page: string): string[] {
  return elementsOf(page).flatMap(({ name, attributes: { href = '' } }) =>
    name === 'a' && /^\/(?!assets|f\/|api)[^/]/.test(href) ? [href.replace(/#.*/, '')] : [],
  );
}

/** The forms of a page. @param path of the page, where a form without an address sends to */
export function formsOn(page: string, path: string): PageForm[] {
  const forms: PageForm[] = [];
  for (const { name, attributes } of elementsOf(page)) {
    if (name === 'form') {
      const method = attributes.method?.toLowerCase() === 'post' ? 'POST' : 'GET';
      forms.push({ method, path: (attributes.action ?? path).replace(/[?#].*/, ''), names: [] });
    }
    const isControl = ['input', 'select', 'textarea', 'button'].includes(name);
    if (isControl && attributes.name) forms.at(-1)?.names.push(attributes.name);
  }
  return forms;
}

/** Returns what a browser would send of the inputs on a page. */
export function valuesOn(page: string): Record<string, string> {
  const values: Record<string, string> = {};
  const open = /<(input|textarea|select|option)\b((?:[^>"']|"[^"]*"|'[^']*')*)>([^<]*)/g;
  let select = '';
  for (const [, tag = '', inside = '', text = ''] of page.matchAll(open)) {
    const [element] = elementsOf(`<${tag} ${inside}>`);
    const { name = '', type, value = '', ...rest } = element?.attributes ?? {};
    if (tag === 'select') select = name;
    if (tag === 'option' && ('selected' in rest || !(select in values))) values[select] = value;
    if (tag === 'textarea' && name) values[name] = plain(text);
    if (tag !== 'input' || !name) continue;
    const isBox = type === 'checkbox' || type === 'radio';
    if (!isBox || 'checked' in rest) values[name] = value;
  }
  return values;
}

/** Types over some settings on the page of a form, and saves them. */
export async function saveSettings(browser: Browser, form: FormBody, typed: Record<string, string>) {
  const path = `/forms/${form.identifier}/settings`;
  const { text } = await browser.get(path);
  const named = Object.entries(typed).map(([key, value]) => [`settings.${key}`, value]);
  return browser.post(path, { ...valuesOn(text), ...Object.fromEntries(named) });
}
