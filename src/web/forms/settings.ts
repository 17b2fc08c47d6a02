import { formHtml, formSnippet, scriptHtml } from '../../forms/model/form-snippet.js';
import type { FormCaptcha } from '../../spam/evidence/spam-evidence.js';
import { currentScript } from '../../visitor-pages/pages.js';

/** Code that sends to a form's address, in one language or framework. */
interface Snippet {
  name: string;
  code: string;
}

/**
 * Returns snippets for a form's address, the plainest first.
 * @param captcha that the form asks of its visitors; null for none
 */
export function snippetsFor(address: string, captcha: ShownCaptcha | null = null): Snippet[] {
  const script = currentScript();
  const html = formSnippet(address, script);
  const [form, line] = [formHtml(address), scriptHtml(address, script)];
  return [
    { name: 'HTML', code: html },
    ...(captcha
      ? [{ name: 'HTML with captcha', code: formSnippet(address, script, `\n${captchaSnippet(captcha)}`) }]
      : []),
    { name: 'Astro', code: `---\n// src/components/Contact.astro\n---\n${html}` },
    { name: 'Hugo', code: `{{/* layouts/shortcodes/contact.html */}}\n${html}` },
    { name: 'Next and React', code: component(html) },
    {
      name: 'SvelteKit',
      code: `<!-- src/routes/contact/+page.svelte -->\n<svelte:head>\n  ${line}\n</svelte:head>\n\n${form}`,
    },
    { name: 'fetch', code: fetching(address) },
    {
      name: 'curl',
      code: `curl ${address} \\\n  --header 'Accept: application/json' \\\n  --data-urlencode 'email=jane@example.com' \\\n  --data-urlencode 'message=Hello'`,
    },
  ];
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

/** Writes HTML as a component in JSX. */
function component(html: string) {
  const jsx = html
    .replace(/<input [^<>]*/g, '$& /')
    .replace(/accept-charset|tabindex|autocomplete|crossorigin/g, (name) => JSX_NAMES[name] ?? name);
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
  'accept-charset': 'acceptCharset',
  tabindex: 'tabIndex',
  autocomplete: 'autoComplete',
  crossorigin: 'crossOrigin',
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
