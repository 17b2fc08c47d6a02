import { fieldsOnPage, formHtml, formSnippet, scriptHtml, type SnippetForm } from '../forms/model/form-snippet.js';
import { sampleValues } from '../forms/model/sample-values.js';
import type { FormCaptcha } from '../spam/evidence/spam-evidence.js';
import { currentScript } from './scripts.js';

/** The languages and frameworks that there are snippets for, by the name that programs ask with. */
const FLAVOURS = {
  html: 'HTML',
  astro: 'Astro',
  hugo: 'Hugo',
  react: 'Next and React',
  svelte: 'SvelteKit',
  fetch: 'fetch',
  curl: 'curl',
} as const;

export type Flavour = keyof typeof FLAVOURS;
export const FLAVOUR_NAMES = Object.keys(FLAVOURS) as Flavour[];

/** Code that sends to a form's address, in one language or framework. */
interface Snippet {
  flavour: Flavour;
  name: string;
  code: string;
}

/**
 * Returns snippets for a form, the plainest first.
 * @param captcha that the form asks of its visitors; null for none
 */
export function snippetsFor(form: SnippetForm, captcha: ShownCaptcha | null = null): Snippet[] {
  const script = currentScript();
  const html = formSnippet(form, script, captcha ? `\n${captchaSnippet(captcha)}` : '');
  const line = scriptHtml(form.address, script);
  const codes: Record<Flavour, string> = {
    html,
    astro: `---\n// src/components/Contact.astro\n---\n${html}`,
    hugo: `{{/* layouts/shortcodes/contact.html */}}\n${html}`,
    react: component(formSnippet(form, script)),
    svelte: `<!-- src/routes/contact/+page.svelte -->\n<svelte:head>\n  ${line}\n</svelte:head>\n\n${formHtml(form)}`,
    fetch: fetching(form.address),
    curl: calling(form),
  };
  return FLAVOUR_NAMES.map((flavour) => ({ flavour, name: FLAVOURS[flavour], code: codes[flavour] }));
}

function fetching(address: string) {
  return `const body = new FormData(document.querySelector('form'));
body.set('_page', location.href);
const response = await fetch('${address}', {
  method: 'POST',
  headers: { Accept: 'application/json' },
  body,
});
if (!response.ok) throw new Error(await response.text());`;
}

function calling(form: SnippetForm) {
  const fields = fieldsOnPage(form);
  const endings = new Map(
    fields.flatMap(({ kind, name, fileTypes }) => (kind === 'file' ? [[name, fileTypes?.[0] ?? '.txt']] : [])),
  );
  const hasFiles = endings.size > 0;
  const lines = sampleValues(fields).map(([name, text]) => {
    const ending = endings.get(name);
    const option = ending !== undefined ? '--form' : hasFiles ? '--form-string' : '--data-urlencode';
    // What is encoded by curl is what stands behind the first `=` alone.
    const key = hasFiles ? name : encodeURIComponent(name);
    return `${option} '${`${key}=${ending === undefined ? text : `@example${ending}`}`.replaceAll("'", "'\''")}'`;
  });
  return [`curl ${form.address}`, "--header 'Accept: application/json'", ...lines].join(' \\\n  ');
}

/** Writes HTML as a component in JSX. */
function component(html: string) {
  const jsx = html
    .replace(/<input [^<>]*/g, '$& /')
    .replace(/ ([a-z-]+)(="[^"]*")/g, (_, name: string, value: string) => ` ${JSX_NAMES[name] ?? name}${value}`);
  return `// app/contact.jsx
export default function Contact() {
  return (
    <>
${jsx.replace(/^/gm, '      ')}
    </>
  );
}`;
}

const JSX_NAMES: Readonly<Record<string, string>> = {
  ...{ 'accept-charset': 'acceptCharset', tabindex: 'tabIndex', autocomplete: 'autoComplete' },
  ...{ crossorigin: 'crossOrigin', enctype: 'encType', minlength: 'minLength', maxlength: 'maxLength' },
};

/** Public part of a captcha in a page. */
export type ShownCaptcha = Pick<FormCaptcha, 'provider' | 'siteKey' | 'action'>;

/** Returns what stands in a form so that it has a captcha; its button is never disabled. */
function captchaSnippet({ provider, siteKey, action }: ShownCaptcha) {
  switch (provider) {
    case 'turnstile':
      return `  <div class="cf-turnstile" data-sitekey="${siteKey}"${action === null ? '' : ` data-action="${action}"`}></div>
  <script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async defer></script>`;
    case 'hcaptcha':
      return `  <div class="h-captcha" data-sitekey="${siteKey}"></div>
  <script src="https://js.hcaptcha.com/1/api.js" async defer></script>`;
    case 'recaptcha_v2':
      return `  <div class="g-recaptcha" data-sitekey="${siteKey}"></div>
  <script src="https://www.google.com/recaptcha/api.js" async defer></script>`;
    case 'recaptcha_v3':
      return atSubmit(siteKey, action ?? 'submit');
    case 'friendly_captcha':
      return `  <div class="frc-captcha" data-sitekey="${siteKey}"></div>
  <script type="module" src="https://cdn.jsdelivr.net/npm/@friendlycaptcha/sdk@1.0.2/site.min.js" async defer></script>`;
  }
}

/** Asks for a token when it is sent, as it is good for two minutes, and waits five seconds at most. */
function atSubmit(siteKey: string, action: string) {
  return `  <input type="hidden" name="g-recaptcha-response">
  <script src="https://www.google.com/recaptcha/api.js?render=${siteKey}" async defer></script>
  <script>
    let asked = false;
    document.currentScript.closest('form').addEventListener('submit', (event) => {
      if (asked || !window.grecaptcha) return;
      asked = true;
      event.preventDefault();
      const form = event.target;
      Promise.race([
        new Promise((resolve) => grecaptcha.ready(() =>
          resolve(grecaptcha.execute('${siteKey}', { action: '${action}' })))),
        new Promise((resolve) => setTimeout(resolve, 5000, '')),
      ]).catch(() => '').then((token) => {
        form.querySelector('[name="g-recaptcha-response"]').value = token;
        form.requestSubmit();
      });
    });
  </script>`;
}
