import { DataSource } from 'typeorm';
import { formatUuid, makeUuid, parseUuid } from '../../src/platform/kernel/uuid.js';
import { SubmissionRepeat } from '../../src/submissions/repeats/submission-repeat.entity.js';
import type { Caller, Service } from './service.js';
import { RIGHTS } from '../../src/accounts/access/principal.js';
import { sendFile } from './imports.js';

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
  fields: 'nothing',
  destinations: UNKNOWN_UUID,
};

/** Opens an account with one of everything that has an id. */
export async function makeFullAccount(service: Service, settings: object = {}) {
  const owner = await service.openAccount('An account', 'owner@example.com');
  const form = await owner.makeForm(settings);
  const token = await owner.makeToken();
  const client = await owner.makeClient({ form_ids: [form.id] });
  const clientToken = await owner.makeClientToken(client, { rights: [...RIGHTS] });
  const { tokens } = await owner.read(`/api/v1/clients/${client}/tokens`);
  const clientTokenId = tokens[0]?.id ?? 0;
  const visitor = `visitor-of-${form.identifier}@example.com`;
  const submission = await service.submitFile(form, 'a file', { email: visitor });
  const path = `/api/v1/forms/${form.identifier}/submissions/${submission}` as const;
  const [file] = (await owner.read(path)).files;
  const [delivery] = await owner.deliveriesOf(form, submission);
  const repeat = makeUuid();
  await service.app
    .get(DataSource)
    .manager.insert(SubmissionRepeat, {
      ...{ id: repeat, formId: form.id },
      submissionId: parseUuid(submission) ?? repeat,
    });
  const note = await owner.create(`${path}/notes`, { note: { text: 'x' } });
  const old = { provider: 'formspree', value: `old-${form.identifier}` };
  const { alias } = await owner.create(`/api/v1/forms/${form.identifier}/aliases`, { alias: old });
  const task = { q: `form:${form.identifier}`, changes: { read: true } };
  const { body: job } = await owner.post('/api/v1/submissions/bulk', task).expect(202);
  // Its only row is broken: whenever the import is worked on, the account's content stays the same.
  const { body: begun } = await sendFile(owner, form, 'csv', 'Date,m\nnever,x\n').expect(202);
  const imported = begun.import.id;
  const { destination } = await owner.create(`/api/v1/forms/${form.identifier}/destinations`, {
    destination: { ...{ name: 'Hook', kind: 'webhook', paused: true }, settings: { url: 'https://example.com/hook' } },
  });
  const field = { name: `of ${form.identifier}`, label: 'Theirs', kind: 'text' };
  await owner.put(`/api/v1/forms/${form.identifier}/fields`, { fields: [field] }).expect(200);
  const saved = { view: { name: 'Unread', q: 'is:unread', team: true } };
  const view = await owner.create('/api/v1/views', saved);
  const person = await service.makePerson(owner);
  await service.actFor(owner, person, { clientId: client, actions: ['see'] });
  const invitee = { email: 'invited@example.com', name: 'Invited', role: 'viewer', send: false };
  const invited = await owner.create('/api/v1/people', { person: invitee });
  const ids: Ids = {
    forms: form.identifier,
    clients: client,
    tokens: clientTokenId,
    submissions: submission,
    files: file?.id ?? '',
    deliveries: delivery?.id ?? '',
    notes: note.id,
    repeats: formatUuid(repeat),
    aliases: alias.id,
    jobs: job.id,
    ...{ import: imported, imports: imported },
    views: view.id,
    destinations: destination.id,
    people: person.id,
    invitations: invited.id,
    visitors: visitor,
    identities: await service.makeIdentity(person.id),
    passkeys: await service.makePasskey(person.id),
    fields: field.name,
  };
  return { owner, form, token, client, clientToken, clientTokenId, person, ids };
}

export type FullAccount = Awaited<ReturnType<typeof makeFullAccount>>;

/** Returns everything that an account can see of itself. */
export async function contentOf(owner: Caller): Promise<unknown> {
  const [form] = (await owner.read('/api/v1/forms')).forms;
  const lists = [
    ...['forms', 'clients', 'tokens', 'people', 'invitations', 'views'],
    `forms/${form?.identifier ?? ''}/submissions`,
  ];
  const answers = lists.map(async (list) => {
    return JSON.parse(
      JSON.stringify(await owner.read(`/api/v1/${list}`), (key, value: unknown) =>
        key === 'last_used_at' ? 0 : value,
      ),
    ) as unknown;
  });
  return Promise.all(answers);
}
