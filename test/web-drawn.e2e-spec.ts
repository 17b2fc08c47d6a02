import { describe, expect, it } from '@jest/globals';
import { FormPage } from '../src/web/forms/form.page.js';
import { FormsPage, NewFormPage } from '../src/web/forms/forms.page.js';
import { settingsSent, valuesOf } from '../src/web/forms/settings.js';
import { SettingsPage } from '../src/web/forms/settings.page.js';
import { InboxPage } from '../src/web/inbox/inbox.page.js';
import { SubmissionPage, type DeliveryShown } from '../src/web/inbox/submission.page.js';
import { ClientPage, ClientsPage } from '../src/web/clients/clients.page.js';
import type { SectionName } from '../src/web/layout/shell.js';
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
    sections: ['inbox', 'forms', 'clients', 'tokens', 'status'] as SectionName[],
    timeZone: 'UTC',
    troubles: { forms: 1, code: null },
    flash: null,
  };
  const warnings = [{ code: text, message: text }];
  const may = { mayChange: true, mayTriage: true, mayErase: true };
  const identifier = '0123456789abcdef';
  const form = { name: text, identifier };
  const row = {
    id: '1',
    form,
    receivedAt: AT,
    from: text,
    rest: text,
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
  const query = { folder: 'inbox', form: identifier, query: text } as const;
  const answers = [
    { name: 'x', text: `a ${text} b` },
    { name: 'email', text: 'jane@example.com' },
  ];
  const sender = { origin: null, referer: null, userAgent: text, address: text };
  return {
    inbox: InboxPage({ ...list, query, forms: [form], mayCreateForms: true }),
    emptyInbox: InboxPage({ ...list, rows: [], query, forms: [form], mayCreateForms: true }),
    forms: FormsPage({ frame, rows: [{ ...form, count: 1, latestAt: AT, warnings }], ...may }),
    newForm: NewFormPage({ frame, name: text, problems }),
    form: FormPage({ ...list, ...form, ...may, address: '/f/x', count: 9, warnings }),
    settings: SettingsPage({ frame, ...form, count: 1, values: { 'form.name': text }, problems }),
    submission: SubmissionPage({
      ...{ frame, form, id: '1', receivedAt: AT, spam: true, spamReason: text, trash: true },
      ...{ ...sender, answers, deliveries: [delivery] },
      planned: [{ kind: 'webhook', recipient: text }],
      files: [{ id: '1', field: 'x', name: text, bytes: 1 }],
      ...may,
    }),
    clients: ClientsPage({
      frame,
      rows: [{ id: 1, name: text, email: text, forms: [text] }],
      ...may,
    }),
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
    status: StatusPage({ frame, troubles: [{ ...form, warnings }], ...may }),
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
