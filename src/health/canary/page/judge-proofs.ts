import { attributeOf } from '../../../platform/html/elements.js';
import type { Element } from '../../../platform/html/read-html.js';
import type { CaptchaProvider } from '../../../spam/evidence/spam-evidence.js';
import type { PageFacts, PageProblem } from './fetch-page.js';
import { labelOf, type Control, type FormOfPage, type Page } from './read-page.js';

/** Most fields of the name of a honeypot that are looked at. */
const HONEYPOTS_MAX = 10;
/** Path of our script for the proof of work. */
const PROOF_SCRIPT = '/proof-of-work.js';
/** By what each captcha is known in a page: the class of its widget, and the host of its script. */
const WIDGETS: Record<CaptchaProvider, { name: string; class: string; script: RegExp }> = {
  turnstile: { name: 'Turnstile', class: 'cf-turnstile', script: /challenges\.cloudflare\.com\// },
  hcaptcha: { name: 'hCaptcha', class: 'h-captcha', script: /\bhcaptcha\.com\// },
  recaptcha_v2: { name: 'reCAPTCHA', class: 'g-recaptcha', script: /\/recaptcha\// },
  recaptcha_v3: { name: 'reCAPTCHA', class: 'g-recaptcha', script: /\/recaptcha\// },
  friendly_captcha: {
    name: 'Friendly Captcha',
    class: 'frc-captcha',
    script: /friendly-?c(?:aptcha|hallenge)/i,
  },
};

/** Finds out whether the fields are there that people do not see, and bots fill in. */
export function honeypotProblems(
  { controls }: FormOfPage,
  { honeypots }: PageFacts,
): PageProblem[] {
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
  { controls }: FormOfPage,
  { sources, scripts }: Page,
  { asksForProof, hosts, address }: PageFacts,
): PageProblem[] {
  if (!asksForProof) return [];
  const own = sources.filter(({ pathname }) => pathname.endsWith(PROOF_SCRIPT));
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
    widgets.siteKeys.has(siteKey) ||
    scripts.includes(siteKey) ||
    loads.some(({ href }) => href.includes(siteKey));
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
function isVisible(control: Control): boolean {
  if (control.type === 'hidden') return false;
  if (attributeOf(control.element, 'tabindex')?.trim() === '-1') return false;
  for (let at: Element | null = control.element; at && at.tagName !== 'form'; at = parentOf(at)) {
    const element = at;
    const hints = ['hidden', 'style', 'class', 'id', 'aria-hidden'];
    if (hints.some((hint) => attributeOf(element, hint) !== null)) return false;
  }
  return labelOf(control) !== '';
}

function parentOf({ parentNode }: Element): Element | null {
  return parentNode && 'tagName' in parentNode ? parentNode : null;
}
