import { formSnippet } from '../../forms/model/form-snippet.js';
import type { FormCaptcha } from '../../spam/evidence/spam-evidence.js';

/** Code that sends to a form's address, in one language or framework. */
interface Snippet {
  name: string;
  code: string;
}

/** Extra proofs that a form asks of its visitors. */
export interface Asked {
  asksForProof: boolean;
  captcha: ShownCaptcha | null;
}

const NOTHING: Asked = { asksForProof: false, captcha: null };

/** Tells how long the form took to fill in; without script it is sent as well. */
const timed = (address: string) => `  <input type="hidden" name="_token">
  <script>
    fetch('${address}/token')
      .then((response) => response.json())
      .then(({ token }) => { document.querySelector('[name="_token"]').value = token; });
  </script>`;

/** Does the work that the form asks for; without script it is sent as well. */
const worked = (address: string) =>
  `  <script type="module" src="${new URL('/proof-of-work.js', address).href}"></script>`;

/**
 * Returns snippets for a form's address, the plainest first.
 * @param asked what the form asks of its visitors
 */
export function snippetsFor(address: string, { asksForProof, captcha }: Asked = NOTHING): Snippet[] {
  const form = (more?: string) => formSnippet(address, more);
  const html = form();
  return [
    { name: 'HTML', code: html },
    { name: 'HTML with spam timing', code: form(`\n${timed(address)}`) },
    ...(asksForProof ? [{ name: 'HTML with proof of work', code: form(`\n${worked(address)}`) }] : []),
    ...(captcha ? [{ name: 'HTML with captcha', code: form(`\n${captchaSnippet(captcha)}`) }] : []),
    { name: 'fetch', code: fetching(address) },
    { name: 'React', code: react(address) },
    { name: 'Astro', code: `---\n// src/components/Contact.astro\n---\n${html}` },
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

function react(address: string) {
  return `import { useState } from 'react';

export function Contact() {
  const [state, setState] = useState('');
  async function send(event) {
    event.preventDefault();
    const body = new FormData(event.currentTarget);
    body.set('_page', location.href);
    const response = await fetch('${address}', {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body,
    });
    setState(response.ok ? 'sent' : 'failed');
  }
  if (state === 'sent') return <p>Thank you.</p>;
  return (
    <form onSubmit={send}>
      <label>Your email <input type="email" name="email" required /></label>
      <label>Message <textarea name="message" required /></label>
      {state === 'failed' && <p role="alert">It was not sent. Please try again.</p>}
      <button type="submit">Send</button>
    </form>
  );
}`;
}

/** Public part of a captcha in a page. */
type ShownCaptcha = Pick<FormCaptcha, 'provider' | 'siteKey' | 'action'>;

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
