import type { Routes } from '../../build/api.js';

/*
 * A program that uses resources as the documentation says, with a client of types alone, which is what a generator
 * makes of openapi.json. Nothing runs it: it is right when it compiles (`npm run types`).
 */
type Asked<R extends keyof Routes> = Omit<Routes[R], 'answer'>;
declare function call<R extends keyof Routes>(
  route: R,
  ...asked: object extends Asked<R> ? [Asked<R>?] : [Asked<R>]
): Promise<Routes[R]['answer']>;

export async function useResources() {
  const form = await call('POST /api/v1/forms', { body: { form: { name: 'Contact' } } });
  const path = { identifier: form.identifier };
  const client = await call('POST /api/v1/clients', {
    body: { client: { name: 'Jane', email: 'jane@example.com', form_ids: [form.id] } },
  });
  const theirs = await call('POST /api/v1/clients/{id}/tokens', {
    path: { id: client.id },
    body: { token: { name: 'Phone', rights: ['submissions:read'] } },
  });
  const secret: string = theirs.token;
  const query = { per_page: 100, spam: 'all' } as const;
  const page = await call('GET /api/v1/forms/{identifier}/submissions', { path, query });
  for (const { id, values, spam_reason, files } of page.submissions) {
    const [email, why]: [unknown, string | null] = [values.email, spam_reason];
    const at = { ...path, id, fileId: files[0]?.id ?? '' };
    const body = { submission: { spam: true } };
    await call('PATCH /api/v1/forms/{identifier}/submissions/{id}', { path: at, body });
    const bytes: Uint8Array = await call('GET /api/v1/forms/{identifier}/submissions/{id}/files/{fileId}', {
      path: at,
    });
  }
  const csv: string = await call('GET /api/v1/forms/{identifier}/submissions.csv', { path });
  await call('POST /api/v1/forms/{identifier}/redeliveries', { path, body: {} });
  for (const { actor } of (await call('GET /api/v1/audit')).entries) {
    const who: 'person' | 'token' | 'operator' = actor.kind;
  }
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
  (await call('GET /api/v1/forms/{identifier}/warnings', { path: { identifier: '' } })).warnings[0]!.code === 'x';
}
