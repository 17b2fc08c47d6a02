/** An element of a page, as its opening tag says. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
}

const TAG = /<([a-z][^\s/>]*)(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const ATTRIBUTE = /([^\s=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g;
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
};

/** Every element of a page in order, close enough to how a browser finds them. */
export function elementsOf(page: string): Element[] {
  return Array.from(page.matchAll(TAG), ([, name = '', attributes = '']) => ({
    name: name.toLowerCase(),
    attributes: Object.fromEntries(
      Array.from(attributes.matchAll(ATTRIBUTE), ([, key = '', ...values]) => [
        key.toLowerCase(),
        plain(values.join('')), // one of the three ways to write it
      ]),
    ),
  }));
}

/** The text of each element of this name. */
export function textOf(page: string, name: string): string[] {
  const found = page.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, 'gs'));
  return Array.from(found, ([, text = '']) => plain(text));
}

function plain(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, entity: string) => ENTITIES[entity] ?? '');
}
