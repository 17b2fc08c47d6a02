import { parseWebUrl } from '../../../platform/kernel/text/url-text.js';
import { attributeOf, elementsOf, textOf, type Placed } from '../../../platform/html/elements.js';
import { HtmlTooComplex, readPage, type Element } from '../../../platform/html/read-html.js';

/** Most forms of a page that are looked at. */
const FORMS_MAX = 200;
/** Elements that a form sends, or is sent by. */
const CONTROLS = /^(?:input|select|textarea|button)$/;
/** Most controls of all forms that are looked at. */
const CONTROLS_MAX = 5_000;
/** Longest page without its scripts, styles and comments, in characters. */
export const ELEMENTS_CHARS = 512 * 1024;
/** Longest address that is looked at, in characters. */
const ADDRESS_MAX = 4_096;
/** Most policies of a page, the longest of them in characters, and most scripts that it loads. */
const POLICIES_MAX = 10;
const POLICY_MAX = 16_384;
const SOURCES_MAX = 500;

/** An input, a choice, a text or a button. */
export interface Control {
  element: Element;
  name: string;
  /** In lower case, as browsers read it. */
  type: string;
  /** The label around it. */
  label: Element | null;
  /** Whether a fieldset around it, or it by itself, is disabled. */
  isDisabled: boolean;
}

/** A form with all that it sends. */
export interface FormOfPage {
  element: Element;
  /** As it is written; null without one. */
  action: string | null;
  controls: Control[];
}

/** A page, as far as forms are concerned. */
export interface Page {
  html: string;
  url: URL;
  /** Beginning of relative addresses. */
  base: URL;
  hasBase: boolean;
  forms: FormOfPage[];
  /** Controls of no form. */
  loose: Control[];
  /** Policies in `meta` elements. */
  policies: string[];
  /** Text of all scripts that stand in the page. */
  scripts: string;
  /** Addresses of the scripts that do not. */
  sources: URL[];
  /** Names of classes, values of `data-sitekey`: what captchas are known by. */
  widgets: { classes: Set<string>; siteKeys: Set<string> };
  frames: number;
}

/** Reads the forms of a page. @param url where it came from, after all redirects. @throws HtmlTooComplex */
export async function pageOf(html: string, url: URL): Promise<Page> {
  const { elements, scripts } = divided(html);
  if (elements.length > ELEMENTS_CHARS) throw new HtmlTooComplex();
  const all = elementsOf(await readPage(elements));
  const named = (name: string) => all.filter(({ element }) => element.tagName === name);
  const given = named('base')
    .map(({ element }) => attributeOf(element, 'href'))
    .find((href) => href !== null);
  const base = addressIn(given ?? '', url) ?? url;
  const { forms, loose } = formsIn(all);
  return {
    ...{ html, url, base, hasBase: given !== undefined, forms, loose },
    policies: named('meta')
      .filter(({ element }) =>
        /^content-security-policy$/i.test(attributeOf(element, 'http-equiv') ?? ''),
      )
      .slice(0, POLICIES_MAX)
      .map(({ element }) => (attributeOf(element, 'content') ?? '').slice(0, POLICY_MAX)),
    scripts,
    sources: named('script')
      .slice(0, SOURCES_MAX)
      .flatMap(({ element }) => {
        const source = attributeOf(element, 'src');
        return source === null ? [] : (addressIn(source, base) ?? []);
      }),
    widgets: {
      classes: new Set(
        all.flatMap(({ element }) => attributeOf(element, 'class')?.split(/\s+/) ?? []),
      ),
      siteKeys: new Set(all.flatMap(({ element }) => attributeOf(element, 'data-sitekey') ?? [])),
    },
    frames: named('iframe').length,
  };
}

/** Returns an address of http; null for any other. */
export function addressIn(text: string, base: URL): URL | null {
  if (text.length > ADDRESS_MAX) return null;
  return parseWebUrl(text.trim(), base);
}

/** Returns what a person reads at a control. */
export function labelOf({ label }: Control): string {
  return textOf(label).trim();
}

function formsIn(all: readonly Placed[]): { forms: FormOfPage[]; loose: Control[] } {
  const forms = new Map<Element, FormOfPage>();
  const byId = new Map<string, Element>();
  for (const { element } of all) {
    if (element.tagName !== 'form' || forms.size === FORMS_MAX) continue;
    const action = attributeOf(element, 'action');
    forms.set(element, { element, action: action?.trim() ? action.trim() : null, controls: [] });
    const id = attributeOf(element, 'id');
    if (id !== null && !byId.has(id)) byId.set(id, element);
  }
  const loose: Control[] = [];
  let count = 0;
  for (const { element, form, label, isOff } of all) {
    if (!CONTROLS.test(element.tagName) || ++count > CONTROLS_MAX) continue;
    const control = controlOf(element, label, isOff);
    const id = attributeOf(element, 'form');
    const owner = id === null ? form : (byId.get(id) ?? null);
    (owner ? (forms.get(owner)?.controls ?? []) : loose).push(control);
  }
  return { forms: [...forms.values()], loose };
}

function controlOf(element: Element, label: Element | null, isOff: boolean): Control {
  const said = attributeOf(element, 'type')?.trim().toLowerCase() ?? '';
  const usual = { input: 'text', button: 'submit' }[element.tagName] ?? element.tagName;
  return {
    ...{ element, label, name: attributeOf(element, 'name') ?? '' },
    type: /^(?:input|button)$/.test(element.tagName) && said !== '' ? said : usual,
    isDisabled: isOff || attributeOf(element, 'disabled') !== null,
  };
}

/** Begins of what has no elements within it. */
const BEGINS = /<(script|style)\b|<!--/gi;
/** Longest code of scripts that is looked at, in characters. */
const SCRIPTS_MAX = 500_000;

/**
 * Divides a page into its elements and the code of its scripts, without comments and styles: most of a page is of no use
 * to whoever looks for forms.
 */
function divided(html: string): { elements: string; scripts: string } {
  const elements: string[] = [];
  const scripts: string[] = [];
  let from = 0;
  BEGINS.lastIndex = 0;
  for (let found = BEGINS.exec(html); found; found = BEGINS.exec(html)) {
    const kind = found[1]?.toLowerCase();
    const begin =
      kind === undefined ? found.index : html.indexOf('>', found.index) + 1 || html.length;
    elements.push(html.slice(from, begin));
    from = endOf(html, kind, begin);
    if (kind === 'script') scripts.push(html.slice(begin, from));
    BEGINS.lastIndex = from;
  }
  elements.push(html.slice(from));
  return { elements: elements.join(''), scripts: scripts.join('\n').slice(0, SCRIPTS_MAX) };
}

/** Returns where the code of an element ends, or behind a comment. */
function endOf(html: string, kind: string | undefined, begin: number): number {
  const end = kind === undefined ? /-->/g : kind === 'script' ? /<\/script/gi : /<\/style/gi;
  end.lastIndex = begin;
  const found = end.exec(html);
  if (!found) return html.length;
  return kind === undefined ? end.lastIndex : found.index;
}
