import {
  parseWebUrl,
  attributeOf,
  elementsOf,
  textOf,
  type Placed,
  HtmlTooComplex,
  readPage,
  type Element,
} from '../../../platform/index.js';
import type { CaptchaProvider } from '../../../spam/evidence/spam-evidence.js';
import type { PageFacts, PageProblem } from './fetch-page.js';

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
      .filter(({ element }) => /^content-security-policy$/i.test(attributeOf(element, 'http-equiv') ?? ''))
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
      classes: new Set(all.flatMap(({ element }) => attributeOf(element, 'class')?.split(/\s+/) ?? [])),
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
function labelOf({ label }: Control) {
  return textOf(label).trim();
}

function formsIn(all: readonly Placed[]) {
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
function divided(html: string) {
  const elements: string[] = [];
  const scripts: string[] = [];
  let from = 0;
  BEGINS.lastIndex = 0;
  for (let found = BEGINS.exec(html); found; found = BEGINS.exec(html)) {
    const kind = found[1]?.toLowerCase();
    const begin = kind === undefined ? found.index : html.indexOf('>', found.index) + 1 || html.length;
    elements.push(html.slice(from, begin));
    from = endOf(html, kind, begin);
    if (kind === 'script') scripts.push(html.slice(begin, from));
    BEGINS.lastIndex = from;
  }
  elements.push(html.slice(from));
  return { elements: elements.join(''), scripts: scripts.join('\n').slice(0, SCRIPTS_MAX) };
}

/** Returns where the code of an element ends, or behind a comment. */
function endOf(html: string, kind: string | undefined, begin: number) {
  const end = kind === undefined ? /-->/g : kind === 'script' ? /<\/script/gi : /<\/style/gi;
  end.lastIndex = begin;
  const found = end.exec(html);
  if (!found) return html.length;
  return kind === undefined ? end.lastIndex : found.index;
}

/** Most fields of the name of a honeypot that are looked at. */
const HONEYPOTS_MAX = 10;
/** Paths of our scripts that do the proof of work; that of forms which are sent in place needs their attribute. */
const PROOF_SCRIPT = '/proof-of-work.js';
const SENDING_SCRIPT = /^\/f(?:\.[0-9a-f]+)?\.js$/;
/** By what each captcha is known in a page: the class of its widget, and the host of its script. */
const WIDGETS: Record<CaptchaProvider, { name: string; class: string; script: RegExp }> = {
  turnstile: { name: 'Turnstile', class: 'cf-turnstile', script: /challenges\.cloudflare\.com\// },
  hcaptcha: { name: 'hCaptcha', class: 'h-captcha', script: /\bhcaptcha\.com\// },
  recaptcha_v2: { name: 'reCAPTCHA', class: 'g-recaptcha', script: /\/recaptcha\// },
  recaptcha_v3: { name: 'reCAPTCHA', class: 'g-recaptcha', script: /\/recaptcha\// },
  friendly_captcha: { name: 'Friendly Captcha', class: 'frc-captcha', script: /friendly-?c(?:aptcha|hallenge)/i },
};

/** Finds out whether the fields are there that people do not see, and bots fill in. */
export function honeypotProblems({ controls }: FormOfPage, { honeypots }: PageFacts): PageProblem[] {
  if (honeypots.length === 0) return [];
  const own = controls.filter(({ name }) => honeypots.includes(name));
  if (own.length === 0) {
    const detail = `The form lacks its honeypot ${honeypots.map((name) => `“${name}”`).join(', ')}. Put it back, or remove it from the spam settings.`;
    return [{ code: 'honeypot_missing', detail }];
  }
  const visible = own.slice(0, HONEYPOTS_MAX).find(isVisible);
  if (!visible) return [];
  const detail = `Visitors see the honeypot “${visible.name}”, and who fills it in is taken for a bot. Hide it.`;
  return [{ code: 'honeypot_visible', detail }];
}

/** Finds out whether the page has what the spam settings of the form ask of it. */
export function proofProblems(form: FormOfPage, page: Page, facts: PageFacts): PageProblem[] {
  return [...proofOfWork(form, page, facts), ...captcha(page, facts)];
}

function proofOfWork(
  { element, controls }: FormOfPage,
  { sources, scripts }: Page,
  { asksForProof, hosts, address }: PageFacts,
): PageProblem[] {
  if (!asksForProof) return [];
  const isInPlace = element.attrs.some(({ name }) => name === 'data-fcs');
  const own = sources.filter(
    ({ pathname }) => pathname.endsWith(PROOF_SCRIPT) || (isInPlace && SENDING_SCRIPT.test(pathname)),
  );
  if (own.some(({ host }) => hosts.has(host))) return [];
  const wanted = new URL(PROOF_SCRIPT, address).href;
  if (own[0]) {
    const detail = `The script for the proof of work comes from ${own[0].href}, which is not where it is now. Load ${wanted}.`;
    return [{ code: 'snippet_outdated', detail }];
  }
  // Widgets of others do the same work, and scripts can load ours.
  if (controls.some(({ name }) => name === 'altcha')) return [];
  if (/altcha|proof-of-work/.test(scripts)) return [];
  const detail = `The form asks for a proof of work, and its page lacks the script for it. Load ${wanted}, or turn the proof off.`;
  return [{ code: 'snippet_missing', detail }];
}

function captcha({ widgets, sources, scripts }: Page, facts: PageFacts): PageProblem[] {
  if (facts.captcha === null) return [];
  const { provider, siteKey } = facts.captcha;
  const { name, class: widget, script } = WIDGETS[provider];
  const loads = sources.filter(({ href }) => script.test(href));
  const isKnown =
    widgets.siteKeys.has(siteKey) || scripts.includes(siteKey) || loads.some(({ href }) => href.includes(siteKey));
  if (isKnown) return [];
  if (widgets.classes.has(widget) && widgets.siteKeys.size > 0) {
    const detail = `The ${name} of the page has another site key than the spam settings of the form.`;
    return [{ code: 'captcha_key', detail }];
  }
  if (loads.length > 0) return [];
  const detail = `The form asks for ${name}, and its page has none. Put it back, or turn it off in the spam settings.`;
  return [{ code: 'captcha_missing', detail }];
}

/** Tells whether a control is surely seen: where it, and all around it, has nothing by which a style could hide it. */
function isVisible(control: Control) {
  if (control.type === 'hidden') return false;
  if (attributeOf(control.element, 'tabindex')?.trim() === '-1') return false;
  for (let at: Element | null = control.element; at && at.tagName !== 'form'; at = parentOf(at)) {
    const element = at;
    const hints = ['hidden', 'style', 'class', 'id', 'aria-hidden'];
    if (hints.some((hint) => attributeOf(element, hint) !== null)) return false;
  }
  return labelOf(control) !== '';
}

function parentOf({ parentNode }: Element) {
  return parentNode && 'tagName' in parentNode ? parentNode : null;
}
