import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { Form } from '../forms/form.entity.js';
import { html, type Html } from '../shared/html.js';
import { SigningService } from '../signing/signing.service.js';
import type { SubmittedValues } from '../submissions/submitted-values.js';
import { layout, type Page } from './layout.js';

/** What the link to a thank-you page is signed for. */
const THANKS = 'thanks';
/** Browsers hold the redirect after a form to the policy too, and it leads where the owner wants. */
const ANY_SITE = 'http: https:';
/** How long that link shows what was submitted. */
const THANKS_TTL_MS = 60 * 60 * 1000;

/** What a thank-you page may show of a submission. */
export interface Shown {
  values: SubmittedValues | null;
  /** Names of the files that came with it. */
  files: { field: string; name: string }[];
  /** The page the form is on. */
  from: string | null;
}

/** Writes the pages that visitors and developers see in a browser. */
@Injectable()
export class Pages {
  private readonly baseUrl: string;

  constructor(
    config: Config,
    private readonly signing: SigningService,
  ) {
    this.baseUrl = config.baseUrl;
  }

  /** The address of a submission's thank-you page, which only its sender learns. */
  async thanksUrl(identifier: string, submissionId: Buffer, now: Date): Promise<string> {
    const expiresAt = new Date(now.getTime() + THANKS_TTL_MS);
    const link = await this.signing.sign(THANKS, submissionId, expiresAt);
    return `${this.baseUrl}/f/${identifier}/thanks?s=${link}`;
  }

  /** The submission a thank-you link is for; null when it is too old or was altered. */
  submissionOf(link: string): Promise<Buffer | null> {
    return this.signing.verify(THANKS, link, new Date());
  }

  thanks(form: Form, { values, files, from }: Shown): Page {
    const content = html`<h1>Thank you</h1>
      <p class="text">${form.submissionText}</p>
      ${values && valueList(values, files)} ${backLink(from)}`;
    return layout(form.name, content, form);
  }

  /** Tells a visitor what went wrong. The values are still in the form: going back shows them. */
  failure(message: string): Page {
    const content = html`<h1>Your submission was not sent</h1>
      <p>${message}</p>
      <p>Nothing you typed is lost: go back in your browser, and your answers are still there.</p>`;
    return layout('Your submission was not sent', content);
  }

  /** Tells whoever opened an address why there is nothing to see. */
  problem(message: string): Page {
    return layout(
      'This page cannot be shown',
      html`<h1>This page cannot be shown</h1>
        <p>${message}</p>`,
    );
  }

  /** Explains a form's address to the developer who opens it. */
  instructions(form: Form): Page {
    const action = `${this.baseUrl}/f/${form.identifier}`;
    const content = html`<h1>${form.name}</h1>
      <p>
        This is the address of a form. It takes what visitors send by <code>POST</code>. Put this
        into your page:
      </p>
      <pre><code>${snippet(action)}</code></pre>
      <p>
        Every field needs a <code>name</code>. For files, add
        <code>enctype="multipart/form-data"</code> to the form.
      </p>
      ${domainNote(form)}
      <h2>Try it</h2>
      <form method="post" accept-charset="UTF-8">
        <label>Your e-mail <input type="email" name="email" autocomplete="email" required /></label>
        <label>Message <textarea name="message" rows="4"></textarea></label>
        <button type="submit">Send</button>
      </form>`;
    return layout(form.name, content, undefined, ANY_SITE);
  }

  /** Explains a GET that carries a form's fields: nothing was stored. */
  methodMissing(form: Form): Page {
    const action = `${this.baseUrl}/f/${form.identifier}`;
    const content = html`<h1>Your submission was not sent</h1>
      <p>
        For the owner of the page: the form was sent by <code>GET</code>, so its fields ended up in
        the address and nothing was stored. Add <code>method="post"</code> to the form:
      </p>
      <pre><code>${snippet(action)}</code></pre>`;
    return layout(form.name, content);
  }
}

function valueList(values: SubmittedValues, files: Shown['files']): Html {
  const sent = [
    ...values.toText(),
    ...files.map(({ field, name }) => ({ name: field, text: name })),
  ];
  const items = sent.map(
    ({ name, text }) =>
      html`<dt>${name}</dt>
        <dd>${text === '' ? '–' : text}</dd>`,
  );
  return html`<h2>What you sent</h2>
    <dl>${items}</dl>`;
}

/** Browsers tell other sites only the origin of the page, so the link is named after the site. */
function backLink(from: string | null): Html | null {
  if (from === null || !/^https?:\/\//i.test(from) || !URL.canParse(from)) return null;
  return html`<p><a href="${from}" target="_top">Back to ${new URL(from).host}</a></p>`;
}

function domainNote({ whitelistedDomains }: Form): Html | null {
  if (whitelistedDomains === null) return null;
  return html`<p>
    This form only accepts submissions from ${whitelistedDomains.split(',').join(', ')}. One that is
    sent from this page is filed as spam.
  </p>`;
}

function snippet(action: string): string {
  return `<form action="${action}" method="post" accept-charset="UTF-8">
  <label>Your e-mail <input type="email" name="email" required></label>
  <label>Message <textarea name="message"></textarea></label>
  <input type="text" name="_gotcha" style="display:none" tabindex="-1" autocomplete="off">
  <button type="submit">Send</button>
</form>`;
}
