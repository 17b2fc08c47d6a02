import { elementsOf } from './page.js';

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
