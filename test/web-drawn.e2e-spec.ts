import { describe, expect, it } from '@jest/globals';
import { FormPage } from '../src/web/forms/form.page.js';
import { FormsPage, NewFormPage } from '../src/web/forms/forms.page.js';
import { settingsSent, valuesOf } from '../src/web/forms/settings.js';
import { SettingsPage } from '../src/web/forms/settings.page.js';
import { InboxPage } from '../src/web/inbox/inbox.page.js';
import { SubmissionPage, type DeliveryShown } from '../src/web/inbox/submission.page.js';
import { ClientPage, ClientsPage } from '../src/web/clients/clients.page.js';
import { renderPage } from '../src/web/layout/send-page.js';
import { StatusPage } from '../src/web/status/status.page.js';
import { IssuedTokenPage, NewTokenPage, TokensPage } from '../src/web/tokens/tokens.page.js';
import { Form } from '../src/forms/form.entity.js';
import { PAYLOADS } from './support/markup.js';
import { elementsOf } from './support/page.js';

const AT = new Date('2026-01-31T12:00:00Z');

/** Every page, with the same text wherever a person may have typed it. */
function pagesWith(text: string) {
  const frame = {
    person: { name: text, account: text },
    timeZone: 'UTC',
    troubles: 1,
    flash: null,
  };
  const identifier = '0123456789abcdef';
  const form = { name: text, identifier };
  const row = {
    id: '1',
    form,
    receivedAt: AT,
    answers: [
      { name: 'name', text },
      { name: 'x', text },
    ],
    files: 1,
  };
  const problems = [{ field: 'form.name', code: 'x', message: 'form.name is wrong.' }];
  const list = { frame, rows: [row], older: '/inbox?before=1', isOlder: true };
  const typed = { name: text, email: text, canCreateForms: true, formIds: [1] };
  const delivery: DeliveryShown = {
    id: '1',
    kind: 'webhook',
    recipient: text,
    state: 'failed',
    nextAttemptAt: null,
    attempts: [{ at: AT, durationMs: 1, outcome: 'refused', answer: text }],
  };
  const sender = { origin: null, referer: null, userAgent: text, address: text };
  return {
    inbox: InboxPage({ ...list, hasForms: true }),
    forms: FormsPage({ frame, rows: [{ ...form, count: 1, latestAt: AT, warnings: [text] }] }),
    newForm: NewFormPage({ frame, name: text, problems }),
    form: FormPage({ ...list, ...form, address: '/f/x', count: 9, warnings: [text] }),
    settings: SettingsPage({ frame, ...form, count: 1, values: { 'form.name': text }, problems }),
    submission: SubmissionPage({
      ...{ frame, form, id: '1', receivedAt: AT, spam: true, spamReason: text, trash: true },
      ...{ ...sender, answers: [{ name: 'x', text: `a ${text} b` }], deliveries: [delivery] },
      files: [{ id: '1', field: 'x', name: text, bytes: 1 }],
      mayChange: true,
    }),
    clients: ClientsPage({ frame, rows: [{ id: 1, name: text, email: text, forms: [text] }] }),
    client: ClientPage({
      frame,
      client: { id: 1, name: text },
      typed,
      forms: [{ id: 1, name: text }],
      problems: [],
    }),
    tokens: TokensPage({
      frame,
      rows: [{ id: 1, name: text, rights: [], isClients: true, lastUsedAt: AT, expiresAt: null }],
    }),
    newToken: NewTokenPage({
      frame,
      rights: ['forms:read'],
      typed: { name: text, rights: [], expires: '' },
      problems,
    }),
    issued: IssuedTokenPage({ frame, name: text, secret: 'fcs_x', baseUrl: 'http://x' }),
    status: StatusPage({ frame, troubles: [{ ...form, warnings: [text] }] }),
  };
}

/** The names of a page's elements: what a person typed never adds one. */
const skeleton = (page: Parameters<typeof renderPage>[0]) =>
  elementsOf(renderPage(page)).map(({ name }) => name);

describe('A page for people who sign in', () => {
  it('stays the same whatever was typed into what it shows', () => {
    const plain = pagesWith('a');
    for (const payload of PAYLOADS) {
      for (const [name, page] of Object.entries(pagesWith(payload))) {
        const expected = skeleton(plain[name as keyof typeof plain]);
        expect({ payload, name, elements: skeleton(page) }).toEqual({
          payload,
          name,
          elements: expected,
        });
      }
    }
  });

  it('of settings sends back what it was given', () => {
    const form = Form.create(1, { name: 'Contact', notifySubmitter: true }, AT);
    expect(settingsSent(valuesOf(form))).toMatchObject({
      name: 'Contact',
      notify_submitter: true,
      notify_owner_on_submission: true,
      show_submitted_values: false,
      redirect_url: null,
    });
  });
});
