import type { Routes } from '../../build/api.js';

/*
 * A program that uses each resource as the documentation says, with a client of types alone, which is what a generator
 * makes of openapi.json. Nothing runs it: it is right when it compiles (`npm run types`).
 */
type Asked<R extends keyof Routes> = Omit<Routes[R], 'answer'>;
declare function call<R extends keyof Routes>(
  route: R,
  ...asked: object extends Asked<R> ? [Asked<R>?] : [Asked<R>]
): Promise<Routes[R]['answer']>;

export async function useEachResource() {
  const form = await call('POST /api/v1/forms', { body: { form: { name: 'Contact' } } });
  const path = { identifier: form.identifier };
  const changed: string | null = (
    await call('PATCH /api/v1/forms/{identifier}', { path, body: { form: { webhook_url: null } } })
  ).webhook_url;
  const names: string[] = (await call('GET /api/v1/forms', { query: { page: 2 } })).forms.map(
    ({ name }) => name,
  );
  const { days } = await call('PUT /api/v1/forms/{identifier}/retention', {
    path,
    body: { days: 30 },
  });
  const kept: number | null = days;

  const client = await call('POST /api/v1/clients', {
    body: { client: { name: 'Jane', email: 'jane@example.com', form_ids: [form.id] } },
  });
  const theirs = await call('POST /api/v1/clients/{id}/tokens', {
    path: { id: client.id },
    body: { token: { name: 'Phone', rights: ['submissions:read'] } },
  });
  const secret: string = theirs.token;
  for (const token of (await call('GET /api/v1/tokens')).tokens) {
    const last: string | null = token.last_used_at;
    await call('DELETE /api/v1/tokens/{id}', { path: { id: token.id } });
  }

  const page = await call('GET /api/v1/forms/{identifier}/submissions', {
    path,
    query: { per_page: 100, spam: 'all' },
  });
  for (const { id, values, spam_reason, files } of page.submissions) {
    const email: unknown = values.email;
    const why: string | null = spam_reason;
    const at = { ...path, id };
    await call('PATCH /api/v1/forms/{identifier}/submissions/{id}', {
      path: at,
      body: { submission: { spam: true } },
    });
    const { deliveries } = await call(
      'GET /api/v1/forms/{identifier}/submissions/{id}/deliveries',
      { path: at },
    );
    for (const { kind, state, attempts } of deliveries) {
      const isWebhook: boolean = kind === 'webhook' && state === 'failed';
      const codes: (number | null)[] = attempts.map(({ code }) => code);
    }
    for (const file of files) {
      const bytes: Uint8Array = await call(
        'GET /api/v1/forms/{identifier}/submissions/{id}/files/{fileId}',
        { path: { ...at, fileId: file.id } },
      );
    }
  }
  const csv: string = await call('GET /api/v1/forms/{identifier}/submissions.csv', { path });
  const xlsx: Uint8Array = await call('GET /api/v1/forms/{identifier}/submissions.xlsx', { path });
  const { exists } = await call('GET /api/v1/forms/{identifier}/value_exists', {
    path,
    query: { field: 'email', value: 'jane@example.com' },
  });
  await call('POST /api/v1/forms/{identifier}/redeliveries', { path, body: {} });
  const { webhook } = await call('GET /api/v1/forms/{identifier}/webhook', { path });
  for (const { code } of (await call('GET /api/v1/forms/{identifier}/warnings', { path }))
    .warnings) {
    // Every case is known, and no other: a program that forgets one does not compile.
    switch (code) {
      case 'nobody_is_told':
      case 'recipients_unconfirmed':
      case 'recipient_bounces':
      case 'mail_not_configured':
      case 'origins_refused':
      case 'captcha_unverified':
      case 'secret_unreadable':
      case 'webhook_disabled':
      case 'owner_email_failing':
      case 'submitter_email_failing':
      case 'destination_failing':
      case 'webhook_failing':
      case 'files_nearly_full':
      case 'intake_closed':
      case 'form_silent':
      case 'never_connected':
      case 'page_broken':
      case 'canary_failing':
      case 'visitors_refused':
      case 'verdicts_changed':
      case 'spam_rising':
      case 'opt_in_failing':
        break;
      default:
        const none: never = code;
    }
  }

  const invited = await call('POST /api/v1/people', {
    body: { person: { email: 'ann@example.com', name: 'Ann', role: 'editor' } },
  });
  const link: string | null = invited.link;
  for (const { role, disabled } of (await call('GET /api/v1/people')).people) {
    const isOwner: boolean = role === 'owner' && !disabled;
  }
  for (const { action, actor } of (await call('GET /api/v1/audit')).entries) {
    const who: 'person' | 'token' | 'operator' = actor.kind;
  }
  const { account, token } = await call('GET /api/v1/me');
  const { status } = await call('GET /health/ready');
}

export async function makeMistakes() {
  // @ts-expect-error -- a mistake
  await call('GET /api/v1/form');
  // @ts-expect-error -- a mistake
  await call('GET /api/v1/forms/{identifier}');
  // @ts-expect-error -- a mistake
  await call('POST /api/v1/forms', { body: { name: 'Contact' } });
  // @ts-expect-error -- a mistake
  await call('POST /api/v1/clients', { body: { client: { name: 'Jane' } } });
  // @ts-expect-error -- a mistake
  await call('POST /api/v1/tokens', { body: { token: { name: 'x', rights: ['forms:reed'] } } });
  // @ts-expect-error -- a mistake
  (await call('GET /api/v1/people')).people[0]!.role === 'admin';
  // @ts-expect-error -- a mistake
  const id: string = (await call('GET /api/v1/forms')).forms[0]!.id;
  // @ts-expect-error -- a mistake
  (await call('GET /api/v1/forms/{identifier}/warnings', { path: { identifier: '' } })).warnings[0]!
    .code === 'x';
}
