import { Injectable } from '@nestjs/common';
import { html } from '../platform/kernel/html.js';
import { Config } from '../platform/config/config.js';
import type { Form } from '../forms/form.entity.js';
import { SigningService } from '../platform/signed-links/signing.service.js';
import type { SubmittedValues } from '../submissions/values/submitted-values.js';
import { Confirm, Confirmed, type Confirmation } from './confirm.page.js';
import { layout, type HtmlPage } from './layout.js';
import { Instructions, MethodMissing, NotSent, NotShown, Thanks } from './visitor.page.js';

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

  thanks(form: Form, { values, files, from }: Shown): HtmlPage {
    const names = files.map(({ field, name }) => ({ name: field, text: name }));
    const sent = values && [...values.toText(), ...names];
    return layout(form.name, Thanks({ text: form.submissionText, sent, from }), form);
  }

  /** Asks whether an address is to get the mails of an account's forms. */
  confirm(asked: Confirmation): HtmlPage {
    return layout('Get these mails?', Confirm(asked), undefined, "'self'");
  }

  /** Says that it gets them from now on. */
  confirmed(asked: Confirmation): HtmlPage {
    return layout('Thank you', Confirmed(asked));
  }

  /** Tells a visitor what went wrong. */
  failure(message: string): HtmlPage {
    return layout('Your submission was not sent', NotSent({ message }));
  }

  /** Returns what HTMX puts into the page of a form. */
  fragment(message: string): string {
    return html`<p>${message}</p>`.text;
  }

  /** Tells whoever opened an address why there is nothing to see. */
  problem(message: string): HtmlPage {
    return layout('This page cannot be shown', NotShown({ message }));
  }

  /** Explains a form's address to the developer who opens it. */
  instructions({ name, identifier, whitelistedDomains: domains }: Form): HtmlPage {
    const content = Instructions({ name, domains, snippet: this.snippetFor(identifier) });
    return layout(name, content, undefined, ANY_SITE);
  }

  /** Explains a GET that carries a form's fields: nothing was stored. */
  methodMissing({ name, identifier }: Form): HtmlPage {
    return layout(name, MethodMissing({ snippet: this.snippetFor(identifier) }));
  }

  private snippetFor(identifier: string): string {
    return snippet(`${this.baseUrl}/f/${identifier}`);
  }
}

function snippet(action: string): string {
  return `<form action="${action}" method="post" accept-charset="UTF-8">
  <label>Your e-mail <input type="email" name="email" required></label>
  <label>Message <textarea name="message"></textarea></label>
  <input type="text" name="_gotcha" style="display:none" tabindex="-1" autocomplete="off">
  <button type="submit">Send</button>
</form>`;
}
