import { DataSource } from 'typeorm';
import { formatUuid, makeUuid, parseUuid } from '../../src/platform/kernel/uuid.js';
import { SubmissionRepeat } from '../../src/submissions/repeats/submission-repeat.entity.js';
import type { Caller, Service } from './service.js';
import { deliveriesOf } from './deliveries.js';
import { RIGHTS } from '../../src/access/rights.js';
import { sendFile } from './imports.js';
import { makeClient, makeClientToken, makeForm, makeToken } from './make.js';
import { actFor, makeIdentity, makePasskey, makePerson } from './people.js';
import { submitFile } from './submissions.js';

/** Ids by the part of a path that stands before them. */
export type Ids = Record<string, string | number>;

/** An id that nothing has, of each kind. */
const UNKNOWN_ID = 2_000_000_000;
const UNKNOWN_UUID = '01a1fe6f-1e58-7000-842b-694654d2b033';
export const UNKNOWN: Ids = {
  forms: '0123456789abcdef',
  clients: UNKNOWN_ID,
  tokens: UNKNOWN_ID,
  submissions: UNKNOWN_UUID,
  files: UNKNOWN_UUID,
  deliveries: UNKNOWN_UUID,
  notes: UNKNOWN_UUID,
  repeats: UNKNOWN_UUID,
  aliases: UNKNOWN_ID,
  jobs: UNKNOWN_UUID,
  ...{ import: UNKNOWN_UUID, imports: UNKNOWN_UUID },
  views: UNKNOWN_UUID,
  people: UNKNOWN_ID,
  invitations: UNKNOWN_UUID,
  identities: UNKNOWN_UUID,
  passkeys: UNKNOWN_UUID,
  visitors: 'nobody@example.com',
  destinations: UNKNOWN_UUID,
};

/** Opens an account with one of everything that has an id. */
export async function makeFullAccount(service: Service, settings: object = {}) {
  const owner = await service.openAccount('An account', 'owner@example.com');
  const form = await makeForm(owner, settings);
  const token = await makeToken(owner);
  const client = await makeClient(owner, { form_ids: [form.id] });
  const clientToken = await makeClientToken(owner, client, { rights: [...RIGHTS] });
  const { body } = await owner.get(`/api/v1/clients/${client}/tokens`).expect(200);
  const clientTokenId = body.tokens[0]?.id ?? 0;
  const visitor = `visitor-of-${form.identifier}@example.com`;
  const submission = await submitFile(service, form, 'a file', { email: visitor });
  const path = `/api/v1/forms/${form.identifier}/submissions/${submission}` as const;
  const { body: shown } = await owner.get(path).expect(200);
  const [file] = shown.files;
  const [delivery] = await deliveriesOf(owner, form, submission);
  const repeat = makeUuid();
  await service.app.get(DataSource).manager.insert(SubmissionRepeat, {
    ...{ id: repeat, formId: form.id },
    submissionId: parseUuid(submission) ?? repeat,
  });
  const { body: note } = await owner
    .post(`/api/v1/forms/${form.identifier}/submissions/${submission}/notes`, {
      note: { text: 'x' },
    })
    .expect(201);
  const { body: added } = await owner
    .post(`/api/v1/forms/${form.identifier}/aliases`, {
      alias: { provider: 'formspree', value: `old-${form.identifier}` },
    })
    .expect(201);
  const task = { q: `form:${form.identifier}`, changes: { read: true } };
  const { body: job } = await owner.post('/api/v1/submissions/bulk', task).expect(202);
  // Its only row is broken: whenever the import is worked on, the account's content stays the same.
  const { body: begun } = await sendFile(owner, form, 'csv', 'Date,m\nnever,x\n').expect(202);
  const imported = begun.import.id;
  const destination = {
    ...{ name: 'Team', kind: 'email', settings: { to: 'team@example.com' }, paused: true },
  };
  const { body: placed } = await owner
    .post(`/api/v1/forms/${form.identifier}/destinations`, { destination })
    .expect(201);
  const saved = { view: { name: 'Unread', q: 'is:unread', team: true } };
  const { body: view } = await owner.post('/api/v1/views', saved).expect(201);
  const person = await makePerson(service, owner);
  await actFor(service, owner, person, { clientId: client, actions: ['see'] });
  const invitee = { email: 'invited@example.com', name: 'Invited', role: 'viewer', send: false };
  const { body: invited } = await owner.post('/api/v1/people', { person: invitee }).expect(201);
  const ids: Ids = {
    forms: form.identifier,
    clients: client,
    tokens: clientTokenId,
    submissions: submission,
    files: file?.id ?? '',
    deliveries: delivery?.id ?? '',
    notes: note.id,
    repeats: formatUuid(repeat),
    aliases: added.alias.id,
    jobs: job.id,
    ...{ import: imported, imports: imported },
    views: view.id,
    destinations: placed.destination.id,
    people: person.id,
    invitations: invited.id,
    visitors: visitor,
    identities: await makeIdentity(service, person.id),
    passkeys: await makePasskey(service, person.id),
  };
  return { owner, form, token, client, clientToken, clientTokenId, person, ids };
}

export type FullAccount = Awaited<ReturnType<typeof makeFullAccount>>;

/** Returns everything that an account can see of itself. */
export async function contentOf(owner: Caller): Promise<unknown> {
  const { body } = await owner.get('/api/v1/forms').expect(200);
  const [form] = body.forms;
  const lists = [
    ...['forms', 'clients', 'tokens', 'people', 'invitations', 'views'],
    `forms/${form?.identifier ?? ''}/submissions`,
  ];
  const answers = lists.map(async (list) => {
    const { body: shown } = await owner.get(`/api/v1/${list}`).expect(200);
    return JSON.parse(
      JSON.stringify(shown, (key, value: unknown) => (key === 'last_used_at' ? 0 : value)),
    ) as unknown;
  });
  return Promise.all(answers);
}
