import type { FormCaptcha } from '../../spam/evidence/form-captcha.js';

/** Public part of a captcha in a page. */
export type ShownCaptcha = Pick<FormCaptcha, 'provider' | 'siteKey' | 'action'>;

/** Returns what stands in a form so that it has a captcha; its button is never disabled. */
export function captchaSnippet({ provider, siteKey, action }: ShownCaptcha): string {
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
function atSubmit(siteKey: string, action: string): string {
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
