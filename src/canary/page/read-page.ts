import { parseBounded } from './parse-bounded.js';
import {
  attributeOf,
  elementsOf,
  textOf,
  type Element,
  type Placed,
} from '../../moves/reading/elements.js';

/** Most forms of a page that are looked at. */
const FORMS_MAX = 200;
/** Elements that a form sends, or is sent by. */
const CONTROLS = /^(?:input|select|textarea|button)$/;
/** Most controls of all forms that are looked at. */
const CONTROLS_MAX = 5_000;

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

/** Reads a page as browsers do. @param url where it came from, after all redirects. @throws PageTooComplex */
export function readPage(html: string, url: URL): Page {
  const all = elementsOf(parseBounded(html));
  const named = (name: string) => all.filter(({ element }) => element.tagName === name);
  const given = named('base')
    .map(({ element }) => attributeOf(element, 'href'))
    .find((href) => href !== null);
  const base = addressIn(given ?? '', url) ?? url;
  const { forms, loose } = formsIn(all);
  const scripts = named('script').map(({ element }) => element);
  return {
    ...{ html, url, base, hasBase: given !== undefined, forms, loose },
    policies: named('meta').flatMap(({ element }) => {
      const isPolicy = /^content-security-policy$/i.test(attributeOf(element, 'http-equiv') ?? '');
      return isPolicy ? (attributeOf(element, 'content') ?? []) : [];
    }),
    scripts: scripts.map(codeOf).join('\n'),
    sources: scripts.flatMap((element) => {
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
  if (!URL.canParse(text.trim(), base)) return null;
  const url = new URL(text.trim(), base);
  return /^https?:$/.test(url.protocol) ? url : null;
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
  for (const { element, form, label } of all) {
    if (!CONTROLS.test(element.tagName) || ++count > CONTROLS_MAX) continue;
    const control = controlOf(element, label);
    const id = attributeOf(element, 'form');
    const owner = id === null ? form : (byId.get(id) ?? null);
    (owner ? (forms.get(owner)?.controls ?? []) : loose).push(control);
  }
  return { forms: [...forms.values()], loose };
}

function controlOf(element: Element, label: Element | null): Control {
  const said = attributeOf(element, 'type')?.trim().toLowerCase() ?? '';
  const usual = { input: 'text', button: 'submit' }[element.tagName] ?? element.tagName;
  return {
    ...{ element, label, name: attributeOf(element, 'name') ?? '' },
    type: /^(?:input|button)$/.test(element.tagName) && said !== '' ? said : usual,
    isDisabled: isDisabled(element),
  };
}

function isDisabled(element: Element): boolean {
  if (attributeOf(element, 'disabled') !== null) return true;
  for (let at: Element['parentNode'] = element.parentNode; at;) {
    if (!('tagName' in at)) return false;
    if (at.tagName === 'fieldset' && attributeOf(at, 'disabled') !== null) return true;
    at = at.parentNode;
  }
  return false;
}

function codeOf(script: Element): string {
  return script.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}
