import { NO_WORK } from '../../src/triage/marks/work.js';
import { attemptResult } from '../../src/deliveries/model/attempt-result.js';
import { describe, expect, it } from '@jest/globals';
import { FormPage } from '../../src/web/forms/form.page.js';
import { FormsPage } from '../../src/web/fleet/form-list.page.js';
import { ReportPage } from '../../src/web/reports/report.page.js';
import { ChangePage } from '../../src/web/fleet/change.page.js';
import { FatesPage } from '../../src/web/fleet/fates.page.js';
import { orderOf } from '../../src/fleet/fleet-filter.js';
import { FormNotOwn } from '../../src/forms/model/form.errors.js';
import { FormPaused } from '../../src/forms/model/form-shut.errors.js';
import { NewFormPage } from '../../src/web/forms/new-form.page.js';
import { GROUPS, settingsSent, valuesOf, type Group } from '../../src/web/forms/settings.js';
import { DomainsPage, NotificationsPage, ThankYouPage } from '../../src/web/forms/settings.page.js';
import { GeneralPage } from '../../src/web/forms/general.page.js';
import { SetupPage } from '../../src/web/forms/setup.page.js';
import { RetentionPage } from '../../src/web/forms/retention.page.js';
import { InboxPage } from '../../src/web/inbox/inbox.page.js';
import { ViewsPage } from '../../src/web/saved-views/views.page.js';
import { SubmissionPage } from '../../src/web/submission/submission.page.js';
import type { DeliveryShown } from '../../src/web/submission/entry-shown.js';
import {
  ClientPersonPage,
  InviteClientPersonPage,
} from '../../src/web/clients/client-people.page.js';
import { ClientBrandPage } from '../../src/web/clients/client-brand.page.js';
import { ClientPage } from '../../src/web/clients/client.page.js';
import { ClientsPage } from '../../src/web/clients/clients.page.js';
import type { SectionName } from '../../src/web/layout/sections.js';
import { FieldLabels } from '../../src/forms/model/field-labels.js';
import { VisitorMailPage } from '../../src/web/forms/visitor-mail.page.js';
import { OpeningPage } from '../../src/web/forms/opening.page.js';
import { NO_RULE } from '../../src/web/forms/rules.js';
import type { FormAlias } from '../../src/aliases/form-alias.entity.js';
import { AliasesPage } from '../../src/web/move/aliases.page.js';
import { MovePage } from '../../src/web/move/move.page.js';
import { RulesPage } from '../../src/web/forms/rules.page.js';
import { EditPage } from '../../src/web/submission/edit.page.js';
import { LabelsPage } from '../../src/web/forms/labels.page.js';
import { RowPreviewPage } from '../../src/web/forms/row-preview.page.js';
import { SpamPage } from '../../src/web/spam/spam.page.js';
import { AuditPage } from '../../src/web/audit/audit.page.js';
import { SpamLearningPage } from '../../src/web/spam/spam-learning.page.js';
import { BrandPage } from '../../src/web/brand/brand.page.js';
import { MemberPage } from '../../src/web/people/member.page.js';
import { InvitationLinkPage, InvitePage } from '../../src/web/people/invite.page.js';
import { PeoplePage } from '../../src/web/people/people.page.js';
import { RedeliveryPage } from '../../src/web/deliveries/redelivery.page.js';
import { DestinationPage } from '../../src/web/destinations/destination.page.js';
import { DestinationsPage } from '../../src/web/destinations/destinations.page.js';
import { WebhookPage } from '../../src/web/webhooks/webhook.page.js';
import { WebhookSecretPage } from '../../src/web/webhooks/webhook-secret.page.js';
import { renderPage } from '../../src/web/layout/send-page.js';
import { NOTHING, sumsOf } from '../../src/statistics/counts/sums.js';
import { StatisticsPage } from '../../src/web/statistics/statistics.page.js';
import { FormWatch } from '../../src/watch/model/form-watch.entity.js';
import { WatchPage } from '../../src/web/watch/watch.page.js';
import { StatusPage } from '../../src/web/status/status.page.js';
import { IssuedTokenPage, NewTokenPage, TokensPage } from '../../src/web/tokens/tokens.page.js';
import { INFECTED_FILES, Verdict } from '../../src/spam/evidence/verdict.js';
import { Form } from '../../src/forms/model/form.entity.js';
import { PAYLOADS } from '../support/markup.js';
import { elementsOf } from '../support/page.js';

const MARKS = { read: false, starred: true, answered: true, done: true, tags: ['x'] };
const AT = new Date('2026-01-31T12:00:00Z');
const SPAN = { from: '2030-01-31', to: '2030-02-01', by: 'day', zone: 'UTC' } as const;
const BUCKET = { start: AT, end: AT, ...sumsOf(() => 2) };

/** Every page, with the same text wherever a person may have typed it. */
function pagesWith(text: string) {
  const frame = {
    person: {
      name: text,
      keysOff: false,
      account: text,
      places: [
        { id: 1, name: text, isHere: true },
        { id: 2, name: text, isHere: false },
      ],
    },
    sections: ['inbox', 'forms', 'clients', 'people', 'tokens', 'status'] as SectionName[],
    timeZone: 'UTC',
    troubles: { forms: 1, codes: [] },
    flash: null,
    seenAs: text,
    display: { scheme: 'system', rows: 'comfortable' } as const,
    here: '/inbox',
    brand: { name: text, logoPath: text, accentUrl: '/assets/accent/x.css' },
  };
  const warnings = [{ code: text, message: text }];
  const may = {
    ...{
      mayExport: true,
      mayCreate: true,
      mayChange: true,
      mayTriage: true,
      isOfClient: false,
      mayEdit: true,
    },
    ...{ mayErase: true, mayImport: true, mayCount: true, mayEdit: true },
  };
  const identifier = '0123456789abcdef';
  const form = { name: text, identifier };
  const headed = { ...form, ...may, address: 'https://a.test/f/x' };
  const asked = {
    asksForProof: true,
    captcha: { provider: 'recaptcha_v3' as const, siteKey: 'x', action: 'y' },
  };
  const settings = (group: Group) => ({
    ...{ frame, form: headed, refused: { group, problems: [problem] } },
    values: Object.fromEntries(GROUPS[group].flat().map(({ name }) => [`form.${name}`, text])),
  });
  const row = {
    id: '1',
    form,
    receivedAt: AT,
    from: text,
    rest: [text],
    files: 1,
    held: true,
    waits: true,
    failed: true,
    assignee: text,
    ...MARKS,
  };
  const person = { id: 1, name: text, email: text, role: 'owner' as const, isDisabled: true };
  const clientPerson = { ...person, actions: ['see' as const] };
  const parts = [
    { name: 'x', points: 1, reason: text },
    { name: INFECTED_FILES, points: 0, reason: text },
  ];
  const file = { id: '1', field: 'x', name: text, bytes: 1, virus: null, isUnscanned: false };
  const doer = { kind: 'person' as const, id: 1, name: text };
  const colleague = { id: 1, name: text, email: text, isVerified: true };
  const session = { way: 'password' as const, createdAt: AT, lastSeenAt: AT };
  const problem = { field: 'form.name', code: 'x', message: 'form.name is wrong.' };
  const oldId = {
    ...{ id: 1, provider: 'basin' as const, value: text },
    ...{ lastUsedAt: new Date(0), lastPage: `https://a.test/${encodeURIComponent(text)}` },
  };
  const plan = {
    ...{ name: text, provider: 'basin' as const, old: { provider: 'basin' as const, value: text } },
    ...{
      labels: [{ name: text, label: text }],
      rules: [{ field: text }],
      emails: null,
      honeypot: null,
    },
  };
  const movedHere = {
    forms: [{ plan, identifier: null, wasHere: false, isReached: true }],
    page: text,
  };
  const problems = [problem];
  const list = { frame, rows: [row], older: '/inbox?before=1', before: 'x' };
  const typed = { name: text, email: text, canCreateForms: true, formIds: [1], identifiers: text };
  const delivery: DeliveryShown = {
    id: '1',
    kind: 'webhook',
    recipient: text,
    destinationName: text,
    state: 'failed',
    nextAttemptAt: null,
    isWaiting: true,
    canBeTried: true,
    attempts: [{ at: AT, durationMs: 1, outcome: 'refused', code: 500, answer: text }],
  };
  const condition = { field: text, fact: null, op: 'is', value: text } as const;
  const call = {
    ...{
      id: '1',
      submission: { identifier: '1', id: '1' },
      state: 'failed' as const,
      plannedAt: AT,
      tries: 1,
    },
    lastTry: { durationMs: 1, outcome: 'refused', code: 500, answer: text },
    nextAttemptAt: null,
  };
  const home = { form: headed, client: null, listAt: '/x', newAt: '/x' };
  const ofClient = { ...home, form: null, client: { id: 1, name: text } };
  const view = { id: '1', name: text, line: text, isTeams: true };
  const shown = {
    ...{
      apiUrl: text,
      line: `x:y ${text}`,
      unclear: [text],
      lookedTo: AT,
      unreadMax: 100,
      now: 'x',
    },
    ...{ held: 2, heldMax: 100, hasMoreForms: true },
    matching: 1_000,
    views: [view],
    choices: [{ id: 1, name: text, email: text }],
    me: 2,
    jobs: [{ id: 'x', isExport: false, done: 1, total: 2 }],
    forms: [
      { ...form, unread: 1 },
      { ...form, unread: 0 },
    ],
    mayCreateForms: true,
    mayImport: true,
    mayTriage: true,
    mayExport: true,
  };
  const answers = [
    { name: 'x', path: [], text: `a ${text} b`, embedded: null },
    { name: 'x', path: [text, 1], text, embedded: null },
    { name: 'email', path: [], text: 'jane@example.com', embedded: null },
  ];
  const labels = new FieldLabels([{ name: 'x', label: text }]);
  const change = { field: text, before: text, after: null };
  const fate = { form: { ...form, id: 1 }, differences: [], error: null };
  const fates = {
    frame,
    fates: [
      {
        ...{ ...fate, state: 'changed' as const },
        differences: [
          { setting: 'webhook_url', before: null, after: text },
          { setting: 'grant_to', before: null, after: 1 },
          { setting: 'paused', before: false, after: true },
        ],
      },
      { ...fate, state: 'unchanged' as const },
      { ...fate, state: 'refused' as const, error: new FormNotOwn() },
    ],
    clients: [{ id: 1, name: text }],
    typed: { 'change.forms': text },
  };
  const watched = FormWatch.create({ formId: 1, accountId: 1 }, AT);
  const step = { step: 'form' as const, code: text, detail: text };
  const top = { values: [{ value: text, submissions: 2, line: text }], other: 1 };
  const sender = {
    origin: null,
    referer: null,
    userAgent: text,
    address: text,
    country: null,
    subject: text,
  };
  return {
    inbox: InboxPage({ ...list, ...shown }),
    emptyInbox: InboxPage({ ...list, ...shown, rows: [] }),
    views: ViewsPage({
      ...{ frame, rows: [{ ...view, every: 'day' }], mayShare: true, mayBeTold: true },
      typed: { ...view, problems: [{ ...problem, field: 'view.name' }] },
    }),
    forms: FormsPage({
      frame,
      found: {
        forms: [
          {
            form: { ...form, id: 1, submissionCount: 1 },
            clients: [{ id: 1, name: text }],
            received: { ...NOTHING, spam: 1, mailsFailed: 2, days: [0, 3], latestAt: AT },
            vital: { watch: watched, failure: { ...step, since: AT } },
            warnings: [{ code: 'nobody_is_told', message: text }],
            shut: new FormPaused(text),
          },
        ],
        ...{ total: 300, isCut: true },
      },
      ask: {
        filter: { q: text, clientId: 1, hasProblems: true },
        order: orderOf('-name'),
        page: 2,
      },
      pages: { first: '/forms', next: '/forms?page=3' },
      first: 101,
      clients: [{ id: 1, name: text }],
      ...may,
    }),
    report: ReportPage({
      ...{ frame, now: '2030-02', up: { href: '/clients', label: text } },
      section: 'clients',
      mail: {
        ...{ mail: { recipients: [text], unconfirmed: [text] }, typed: text },
        problems: [{ ...problem, field: 'report_mail.recipients' }],
        sent: [{ to: text, ended: attemptResult('deferred', 'deferred', text) }],
      },
      report: {
        ...{ client: { id: 1, name: text }, month: '2030-01', totals: NOTHING, before: NOTHING },
        forms: [
          { form, sums: NOTHING, before: NOTHING, work: NO_WORK },
          { form, sums: NOTHING, before: NOTHING, work: NO_WORK },
        ],
      },
    }),
    changeForms: ChangePage({
      ...{ frame, forms: [form], total: 600, clients: [{ id: 1, name: text }] },
      typed: { 'change.settings.webhook_url': text },
      problems: [{ ...problem, field: 'change.settings.webhook_url' }],
    }),
    changesPreviewed: FatesPage({ ...fates, isApplied: false }),
    changesApplied: FatesPage({ ...fates, isApplied: true }),
    newForm: NewFormPage({ frame, name: text, problems }),
    form: FormPage({
      ...{ ...list, ...may, form: headed, apiUrl: text, count: 9, warnings, asked },
    }),
    firstMinute: FormPage({
      ...{ ...list, ...may, form: headed, apiUrl: text, count: 0, warnings, asked, rows: [] },
    }),
    setup: SetupPage({ frame, form: headed, asked, isNew: false }),
    general: GeneralPage({ ...settings('general'), count: 1 }),
    notifications: NotificationsPage({
      ...settings('visitor'),
      isProven: true,
      failing: [{ email: text, kind: 'permanent', reason: text, since: AT }],
    }),
    thanks: ThankYouPage(settings('thanks')),
    domains: DomainsPage({
      ...settings('domains'),
      origins: [{ origin: text, domain: text, isAllowed: false, submissions: 1, lastAt: AT }],
    }),
    retention: RetentionPage({ frame, form: headed, kept: 30, days: text, problems }),
    statistics: StatisticsPage({
      ...{ frame, form: headed, span: SPAN, reportOf: null },
      ask: { ...SPAN, name: null, from: text, problems: [{ ...problem, field: 'from' }] },
      statistics: { buckets: [BUCKET], totals: BUCKET, before: BUCKET },
      facets: {
        ...{ pages: top, origins: top, countries: top, tellsOfCountries: true },
        fields: [{ field: text, ...top }],
      },
      labelOf: (field) => field,
    }),
    watch: WatchPage({
      ...{ frame, form: headed, watch: watched, problems, isShut: false, now: AT },
      days: [
        { day: '2026-01-30', received: 0, expected: null },
        { day: '2026-01-31', received: 3, expected: { low: 1, high: 9 } },
      ],
      warnings: [{ code: 'page_broken', message: text }],
      canary: {
        canary: {
          ...{ schedule: 'daily', page: text, nextRunAt: AT, ranAt: AT, failedSince: AT },
          steps: [{ ...step, state: 'failed' }],
        },
        ...{ isRunning: true, typed: { schedule: 'daily', page: text }, problems },
      },
    }),
    labels: LabelsPage({
      ...{ frame, form: headed, problems, labelMax: 1 },
      fields: [{ name: text, label: text, place: text }],
    }),
    opening: OpeningPage({
      ...{ frame, form: headed, problems, shut: text, count: 1 },
      typed: {
        ...{ paused: true, message: text, closesAt: text, maxSubmissions: text },
        mergesRepeats: true,
      },
    }),
    visitorMail: VisitorMailPage({
      ...{ frame, form: headed, problems, isProven: true },
      typed: { doubleOptIn: true, html: text },
      attachment: { name: text, mediaType: text, size: 1 },
    }),
    rules: RulesPage({
      ...{ frame, form: headed, problems, mayAdd: true },
      typed: { rules: [{ ...NO_RULE, field: text, one_of: text }], onFailure: 'hold' },
    }),
    aliases: AliasesPage({
      ...{ frame, form: headed, problems, dialect: 'basin' },
      rows: [oldId as FormAlias],
      typed: { provider: 'basin', value: text },
    }),
    move: MovePage({
      ...{ frame, problems, baseUrl: text, isMade: false },
      typed: { content: text, provider: '', project: text },
      moved: movedHere,
      rows: [{ alias: oldId, form: { name: text, identifier: text } }],
    }),
    moved: MovePage({
      ...{ frame, problems, baseUrl: text, isMade: true },
      typed: { content: text, provider: '', project: text },
      moved: movedHere,
      rows: [],
    }),
    rowPreview: RowPreviewPage({
      ...{ frame, form: headed, problems },
      fields: [{ name: text, example: text, place: text }],
      samples: [{ from: text, rest: [text] }],
      learnt: [text, text],
    }),
    spam: SpamPage({
      ...{ frame, form: headed, problems },
      lists: { block: text, allow: text },
      again: {
        line: text,
        preview: {
          ...{ looked: 3, kept: 1, lookedTo: AT },
          moves: [{ from: 'spam', to: 'clean', count: 2 }],
        },
      },
      typed: {
        ...{ heldAt: text, spamAt: text, holdHours: text, honeypots: text, scripts: [text] },
        requiresProof: true,
        captcha: {
          ...{ provider: text, siteKey: text, secret: text },
          ...{ action: text, minScore: text },
        },
        signals: [{ name: 'links', enabled: true, points: text }],
      },
      caught: {
        signals: [{ name: text, found: 4, held: 2, spam: 1, reversed: 1 }],
        totals: { held: 2, spam: 1, reversed: 1, missed: 1 },
        levels: {
          relaxed: { held: 0, spam: 1 },
          normal: { held: 2, spam: 1 },
          strict: { held: 1, spam: 3 },
        },
        lookedTo: AT,
      },
    }),
    webhook: WebhookPage({
      format: 'netlify',
      signature: 'none',
      sample: '{"name":"<b>"}',
      ...{
        frame,
        form: headed,
        url: text,
        apiUrl: text,
        typed: text,
        problems,
        mayRetry: true,
        redeliverAt: '/x',
      },
      ...{ disabledAt: AT, isGivenUp: true, failingSince: AT, failsUntil: AT },
      ...{ previousSecretUntil: AT, shown: '', older: '/x', isOlder: true },
      test: { ...call.lastTry, isDelivered: false },
      calls: [call, { ...call, state: 'pending', nextAttemptAt: AT }],
    }),
    destinationsOfClient: DestinationsPage({
      ...{ frame, home: ofClient, seesAll: true, rows: [] },
    }),
    destinations: DestinationsPage({
      ...{ frame, home, seesAll: true },
      rows: (['on', 'paused', 'gave_up', 'failing'] as const).map((state, at) => ({
        ...{ href: '/x', name: text, kind: 'slack', state },
        of: (['settings', 'form', 'client', 'account'] as const)[at] ?? 'form',
        ...{ match: 'any', conditions: [condition, condition], upAt: '/x' },
        exclusion: { at: '/x', isExcluded: at === 1 },
      })),
    }),
    destination: DestinationPage({
      ...{ frame, home, kind: 'webhook', here: '/x', problems, madeSecret: 'whsec_x' },
      typed: {
        ...{ name: text, settings: { url: text, format: 'netlify' }, match: 'any' },
        conditions: [{ about: 'field', field: text, op: 'contains', value: text }],
      },
      stored: {
        ...{ settings: { secret: '…' }, pausedAt: AT, isGivenUp: true, failingSince: AT },
        ...{ isReadable: true, test: { ...call.lastTry, isDelivered: false } },
        calls: {
          ...{ calls: [call], shown: '', older: '/x', isOlder: true, apiUrl: text },
          ...{ mayRetry: true, redeliverAt: '/x' },
        },
      },
      ...{ fields: [text], trial: { tried: 20, taken: 7 }, mayAdd: true },
    }),
    redelivery: RedeliveryPage({
      ...{ frame, form: headed, kind: 'webhook', from: text, to: text, isDisabled: false },
      ...{ count: 2, isAll: false, oldestAt: AT, newestAt: AT },
    }),
    webhookSecret: WebhookSecretPage({
      signature: 'netlify',
      ...{ frame, form: headed, secret: 'whsec_x', previousSecretUntil: AT },
    }),
    edit: EditPage({
      ...{ frame, here: text, back: text, line: text, labels, problems },
      fields: (['text', 'list', 'json'] as const).map((kind) => {
        return { name: text, kind, text: `${text}\n${text}`, shown: text };
      }),
    }),
    submission: SubmissionPage({
      ...{ ...MARKS, looked: null, line: text, newer: '/inbox/x/2', older: null },
      form: { ...form, previewFields: null },
      ...{
        frame,
        id: '1',
        visitor: null,
        receivedAt: AT,
        spam: true,
        spamReason: text,
        trash: true,
      },
      erasedAt: AT,
      others: [text],
      allowable: [text],
      allowableOrigin: text,
      ...{ ...sender, answers, labels },
      assignee: { id: 1, name: text, email: text },
      choices: [{ id: 1, name: text, email: text }],
      me: 2,
      timeline: [
        { at: AT, what: 'received' },
        { at: AT, what: 'judged', verdict: Verdict.stored('held', parts) },
        { at: AT, what: 'delivery', delivery },
        { at: AT, what: 'tagged', tag: text, assignee: null, changes: null, by: doer },
        { at: AT, what: 'assigned', tag: null, assignee: colleague, changes: null, by: doer },
        { at: AT, what: 'seen', tag: null, assignee: null, changes: null, by: null },
        { at: AT, what: 'edited', tag: null, assignee: null, by: doer, changes: [change] },
      ],
      tags: [text],
      notes: [{ id: '1', author: text, at: AT, text, mentions: [], mayRemove: true }],
      ...{ held: true, parts },
      repeats: [{ id: text, seconds: 1 }],
      waiting: { email: text, problem: text },
      withheld: [{ kind: 'webhook', recipient: text }],
      files: [
        { ...file, isImage: true, isLocked: false },
        { ...file, isImage: false, isLocked: true, virus: text },
        { ...file, isImage: false, isLocked: false, isUnscanned: true },
      ],
      ...may,
    }),
    clients: ClientsPage({
      frame,
      rows: [{ id: 1, name: text, email: text, forms: [text], hasMoreForms: true }],
      q: text,
      pages: { first: null, next: '/clients?after=1' },
      ...may,
    }),
    client: ClientPage({
      frame,
      client: { id: 1, name: text },
      typed,
      forms: [{ id: 1, name: text }],
      kept: [2, 3],
      problems: [],
      people: {
        ...{ rows: [clientPerson], mayInvite: true, signInUrl: text },
        invitations: [{ id: '1', name: text, email: text, as: { client: text }, expiresAt: AT }],
      },
      invite: null,
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
    invitePerson: InviteClientPersonPage({
      frame,
      client: { id: 1, name: text },
      typed: { name: text, email: text, actions: [], send: true },
      problems,
    }),
    clientPerson: ClientPersonPage({
      frame,
      client: { id: 1, name: text },
      person: clientPerson,
      sessions: [session],
    }),
    people: PeoplePage({
      frame,
      members: [{ ...person, joinedAt: AT, isSelf: true }],
      invitations: [
        { id: '1', name: text, email: text, as: { role: 'viewer' }, expiresAt: AT },
        { id: '2', name: text, email: text, as: { client: text }, expiresAt: AT },
      ],
      ...may,
    }),
    member: MemberPage({ frame, member: person, isSelf: false, sessions: [session] }),
    invite: InvitePage({ frame, typed: { ...person, role: text, send: true }, problems }),
    invitationLink: InvitationLinkPage({
      frame,
      name: text,
      link: text,
      up: { href: '/x', label: text },
    }),
    audit: AuditPage({
      frame,
      ask: { actor: text, action: text, target: text, from: text, to: text, of: text },
      rows: [
        {
          at: AT,
          actor: text,
          actorName: text,
          action: text,
          target: text,
          targetKind: text,
          targetName: text,
          details: { [text]: text },
          address: text,
        },
      ],
      people: [{ id: 1, name: text }],
      days: 9,
      older: '/audit?before=1',
      isOlder: true,
      apiUrl: text,
      isOperator: true,
    }),
    clientBrand: ClientBrandPage({
      frame,
      client: { id: 1, name: text },
      typed: { 'brand.name': text, 'sender.from': text, 'form_defaults.redirect_url': text },
      ...{ logoPath: text, smtpHost: text, isVisitorTold: true, mayCreate: true },
      problems: { part: 'sender', fields: problems },
      test: {
        to: text,
        ended: {
          ...{ verdict: 'deferred', outcome: 'unreachable', code: null },
          ...{ answer: text, retryAfterMs: null },
        },
      },
    }),
    brand: BrandPage({
      frame,
      typed: { name: text, email: text, replyTo: text, colour: text },
      signInUrl: text,
      logoPath: text,
      problems,
    }),
    spamLearning: SpamLearningPage({
      frame,
      learnt: { own: { spam: 9, ham: 9 }, byClients: { spam: 1, ham: 1 } },
      needed: 9,
    }),
    status: StatusPage({
      weekly: null,
      frame,
      troubles: [{ ...form, warnings }],
      ...may,
      instance: {
        version: text,
        database: text,
        disk: { free: 1, size: 2 },
        backlog: { pending: 1, oldestDueAt: AT },
        accounts: [{ id: 1, name: text, forms: 1, submissions: 1, people: 1, filesBytes: 1 }],
        accountsInAll: 2,
        findings: [
          {
            name: text,
            state: 'failed',
            detail: text,
            settings: [text],
            canMend: true,
            records: [{ name: text, type: 'TXT', value: text }],
          },
        ],
        checkedAt: AT,
      },
    }),
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
    const form = Form.create(
      { accountId: 1, clientId: null },
      { name: 'Contact', notifySubmitter: true },
      AT,
    );
    const groups = Object.keys(GROUPS) as Group[];
    const sent = groups.map((group) => settingsSent(group, valuesOf(form)));
    expect(Object.assign({}, ...sent)).toMatchObject({
      name: 'Contact',
      notify_submitter: true,
      notify_owner_on_submission: true,
      show_submitted_values: false,
      redirect_url: null,
    });
    expect(settingsSent('general', valuesOf(form))).toEqual({ name: 'Contact' });
  });
});
