import { idInPath } from '../../aliases/old-address.js';
import { normaliseId } from '../../aliases/provider.js';
import type { PageFacts } from './page-facts.js';
import { addressIn, type FormOfPage, type Page } from './read-page.js';

/** Fields that name the form where its address does not. */
const KEYS = ['access_key', 'apikey', 'forminitFormId'];

/** Shortest id of another provider that is looked for in texts, in characters. */
const ALIAS_LEAST = 8;

/**
 * Where a form is sent: to `ours`, to `other` forms of this service, to `old` hosts that do not lead here, `elsewhere`, or
 * to the page itself, since it says `nothing`.
 */
export type Target = 'ours' | 'other' | 'old' | 'elsewhere' | 'nothing';

/** Returns where a form is sent. @param action another address than that of the form, as buttons can name */
export function targetOf(
  form: FormOfPage,
  page: Page,
  facts: PageFacts,
  action = form.action,
): Target {
  if (action === null) return 'nothing';
  const url = addressIn(action, page.base);
  if (!url) return 'elsewhere';
  const isOurs = [idInPath(url.pathname), keyIn(form)].some((id) => isForm(id, facts));
  if (facts.hosts.has(url.host)) return isOurs ? 'ours' : 'other';
  // A site can pass on what is sent to it.
  if (isOurs) return url.host === page.url.host ? 'ours' : 'old';
  return 'elsewhere';
}

/** Tells whether a text names the form by an id of its own, in any case of letters. */
export function mentions(text: string, { identifier, aliases }: PageFacts): boolean {
  const searched = text.toLowerCase();
  // Short ids are words that stand anywhere.
  const ids = [identifier, ...aliases.filter((alias) => alias.length >= ALIAS_LEAST)];
  return ids.some((id) => searched.includes(id.toLowerCase()));
}

function isForm(id: string, { identifier, aliases }: PageFacts): boolean {
  return id === identifier || aliases.includes(normaliseId(id));
}

function keyIn({ controls }: FormOfPage): string {
  const control = controls.find(({ name, type }) => type === 'hidden' && KEYS.includes(name));
  return control?.element.attrs.find(({ name }) => name === 'value')?.value ?? '';
}
