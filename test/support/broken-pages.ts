/** A page of a site, made for the address of a form. */
export type PageOf = (address: string) => string;

const page = (body: string, head = '') =>
  `<!doctype html><html><head><title>Contact</title>${head}</head><body>${body}</body></html>`;

const FIELDS = `<label>Email <input type="email" name="email" required></label>
  <label>Message <textarea name="message" required></textarea></label>
  <input type="text" name="_gotcha" hidden tabindex="-1"><input type="hidden" name="_page">`;
const BUTTON = '<button type="submit">Send</button>';

function form(action: string, inside = FIELDS + BUTTON, more = 'method="post"'): string {
  return `<form ${action === '' ? '' : `action="${action}" `}${more}>${inside}</form>`;
}

/** A page whose form is as it should be. */
export const GOOD_PAGE: PageOf = (address) => page(form(address));

/** Pages with a form that is broken, or cannot be seen, by the code that names how. */
export const BROKEN_PAGES: Record<string, PageOf> = {
  form_missing: () => page('<h1>Contact</h1><form action="/search"><input name="q"></form>'),
  form_commented: (address) => page(`<!-- ${form(address)} -->`),
  form_nested: (address) => page(`<form action="/search">${form(address, FIELDS)}</form>`),
  action_missing: () => page(form('')),
  action_elsewhere: () => page(form('https://formspree.io/f/xyzabcde')),
  action_host: (address) => page(form(address.replace(/^http:\/\/[^/]+/, 'https://old.example.com'))),
  action_mail: () => page(form('mailto:jane@example.com')),
  action_other_form: (address) => page(form(new URL('/f/0123456789abcdef', address).href)),
  base_elsewhere: (address) => page(form(new URL(address).pathname), '<base href="https://cdn.example.net/">'),
  method_get: (address) => page(form(address, FIELDS + BUTTON, '')),
  fields_missing: (address) => page(form(address, `<textarea name="message"></textarea>${BUTTON}`)),
  fields_unnamed: (address) => page(form(address, FIELDS.replace(' name="email"', '') + BUTTON)),
  fields_outside: (address) =>
    page(`<input type="email" name="email">${form(address, `<textarea name="message"></textarea>${BUTTON}`)}`),
  fields_disabled: (address) => page(form(address, FIELDS.replace('name="email"', 'name="email" disabled') + BUTTON)),
  fields_block: (address) => page(form(address, `${FIELDS}<input name="fax" hidden required>${BUTTON}`)),
  form_disabled: (address) => page(form(address, `<fieldset disabled>${FIELDS}${BUTTON}</fieldset>`)),
  submit_missing: (address) => page(form(address, `${FIELDS}<button type="button">Send</button>`)),
  button_elsewhere: (address) => page(form(address, `${FIELDS}<button formaction="/thanks">Send</button>`)),
  enctype_wrong: (address) => page(form(address, `${FIELDS}<input type="file" name="cv">${BUTTON}`)),
  policy_forbids: (address) =>
    page(form(address), `<meta http-equiv="Content-Security-Policy" content="default-src *; form-action 'self'">`),
  page_needs_sign_in: () => page(form('/login', '<input name="user"><input type="password" name="secret">')),
};

/** The same of pages that hide what they do. */
export const UNSEEN_PAGES: Record<string, PageOf> = {
  form_by_script: (address) => page(`<div id="app"></div><script>fetch('${address}', { method: 'POST' })</script>`),
  form_in_frame: () => page('<iframe src="https://www.example.com/form"></iframe>'),
  form_in_template: (address) => page(`<template>${form(address)}</template>`),
  submit_disabled: (address) => page(form(address, `${FIELDS}<button disabled>Send</button>`)),
  submit_by_script: (address) => page(form(address, `${FIELDS}<button type="button" onclick="send()">Send</button>`)),
};

/** Pages that lack what the spam settings of a form ask for: a honeypot `website`, a proof of work, Turnstile of the key `KEY`. */
export const UNPROVEN_PAGES: Record<string, PageOf> = {
  honeypot_missing: (address) => page(form(address)),
  honeypot_visible: (address) => page(form(address, `${FIELDS}<label>Website <input name="website"></label>${BUTTON}`)),
  snippet_missing: (address) => page(form(address)),
  snippet_outdated: (address) =>
    page(`${form(address)}<script src="https://old.example.com/proof-of-work.js"></script>`),
  captcha_missing: (address) => page(form(address)),
  captcha_key: (address) =>
    page(form(address, `${FIELDS}<div class="cf-turnstile" data-sitekey="OLD"></div>${BUTTON}`)),
};

/** A page with all that those settings ask for. */
export const PROVEN_PAGE: PageOf = (address) =>
  page(
    form(
      address,
      `${FIELDS}<div hidden><input name="website"></div>
       <div class="cf-turnstile" data-sitekey="KEY"></div>
       <script type="module" src="${new URL('/proof-of-work.js', address).href}"></script>${BUTTON}`,
    ),
  );
