import { formSnippet } from '../../forms/model/form-snippet.js';
import { captchaSnippet, type ShownCaptcha } from './captcha-snippet.js';

/** Code that sends to a form's address, in one language or framework. */
export interface Snippet {
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
export function snippetsFor(
  address: string,
  { asksForProof, captcha }: Asked = NOTHING,
): Snippet[] {
  const form = (more?: string) => formSnippet(address, more);
  const html = form();
  return [
    { name: 'HTML', code: html },
    { name: 'HTML with spam timing', code: form(`\n${timed(address)}`) },
    ...(asksForProof
      ? [{ name: 'HTML with proof of work', code: form(`\n${worked(address)}`) }]
      : []),
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

function fetching(address: string): string {
  return `const body = new FormData(document.querySelector('form'));
body.set('_page', location.href);
const response = await fetch('${address}', {
  method: 'POST',
  headers: { Accept: 'application/json' },
  body,
});
if (!response.ok) throw new Error(await response.text());`;
}

function react(address: string): string {
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
