import { attributeOf } from '../../platform/html/elements.js';
import type { PageForm } from './page-forms.js';

/**
 * Returns a page whose forms are sent to new addresses. All but the two attributes stays as it is written.
 * @param actions the new address of each form
 */
export function rewrittenPage(html: string, actions: readonly [PageForm, string][]): string {
  let text = html;
  // From the end, so that what stands before keeps its place.
  for (const [form, action] of actions.toReversed()) text = rewritten(text, form, action);
  return text;
}

function rewritten(html: string, { element, tag }: PageForm, action: string): string {
  const wanted: Record<string, string> = { action, method: 'post' };
  const places = element.sourceCodeLocation?.attrs ?? {};
  const known = Object.keys(wanted)
    .flatMap((name) => (places[name] ? [{ name, ...places[name] }] : []))
    .sort((one, other) => other.startOffset - one.startOffset);
  let text = html;
  const missing = Object.keys(wanted).filter((name) => attributeOf(element, name) === null);
  const at = tag.start + '<form'.length;
  for (const { name, startOffset, endOffset } of known) {
    if (attributeOf(element, name)?.toLowerCase() === wanted[name]) continue;
    text = text.slice(0, startOffset) + written(name, wanted[name]) + text.slice(endOffset);
  }
  const added = missing.map((name) => ` ${written(name, wanted[name])}`).join('');
  return text.slice(0, at) + added + text.slice(at);
}

function written(name: string, value = ''): string {
  return `${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}
