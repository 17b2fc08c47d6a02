/** An element of a page, as its opening tag says. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
}

const TAG = /<([a-z][^\s/>]*)(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const ATTRIBUTE = /([^\s=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Returns every element of a page in order, nearly as a browser finds them. */
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

/** Returns the text of each element of this name. */
export function textOf(page: string, name: string): string[] {
  const found = page.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, 'gs'));
  return Array.from(found, ([, text = '']) => plain(text.replace(/<\/?bdi>/g, '')));
}

/** Returns the values of a page's hidden fields by name. */
export function hiddenOf(page: string): Record<string, string> {
  const inputs = elementsOf(page).filter(({ name, attributes }) => name === 'input' && attributes.type === 'hidden');
  return Object.fromEntries(inputs.map(({ attributes: { name = '', value = '' } }) => [name, value]));
}

/** Names and values of the tables in a mail, in order, as a person reads them. */
export function factsOf(page: string): [name: string, value: string][] {
  const found = page.matchAll(/<td class="name[^>]*>(.*?)<\/td><td class="value[^>]*>(.*?)<\/td>/gs);
  return Array.from(found, ([, name = '', value = '']) => [read(name), read(value)]);
}

/** Text of an element with its line breaks, without the tags in it. */
function read(html: string): string {
  return plain(html.replace(/<br\/>/g, '\n').replace(/<[^<>]*>/g, ''));
}

/** Reads the entities of a text. */
export function plain(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, entity: string) => ENTITIES[entity] ?? '');
}
