import type { Schemas } from '../../build/api.js';
import type { Standing } from '../../src/people/members/membership.entity.js';
import { PeopleRepository } from '../../src/people/person/people.repository.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { Browser } from '../support/people.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { pathOf } from '../support/submissions.js';

/** Mails to one person in an hour. */
const CAP = 2;

type Mention = Schemas['MentionDto'];

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url, MAIL_CAP_PER_RECIPIENT_HOUR: String(CAP) }));
let id: string;
let made = 0;

const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });
beforeEach(async () => {
  id = await service().submit(form, { name: 'Visitor', email: 'visitor@example.com' });
});

/** Makes a person whose address is known to be theirs, under a name of their own. */
async function makeColleague(standing?: Standing) {
  const person = await service().makePerson(owner, standing);
  const people = service().app.get(PeopleRepository);
  const name = `Jane ${'Doe'.repeat(++made)}`;
  const found = Object.assign(await people.get(person.id), { verifiedAt: new Date(), name });
  await service()
    .app.get(UnitOfWork)
    .run((tx) => people.in(tx).save(found));
  return { ...person, name };
}
const notes = () => `${pathOf(form)}/${id}/notes` as const;
const write = async (text: string, as = owner): Promise<Mention[]> =>
  (await as.create(notes(), { note: { text } })).mentions;
/** Beside the mails about a sign-in. */
const mails = () => server.mails.filter(({ mail }) => mail.subject?.includes('mentioned you') === true);
/** Sends what is due. @returns to whom */
async function told(): Promise<string[]> {
  await service().sendDue();
  return mails()
    .flatMap(({ to }) => to)
    .sort();
}

describe('Who is mentioned in a note', () => {
  it('is told by one mail with the note and a link, and named by the API', async () => {
    const [jane, tom] = [await makeColleague(), await makeColleague()];
    const text = `@${jane.name}, and @${tom.email.toUpperCase()}: call @${jane.name}?`;

    expect(await write(text)).toEqual([
      { person_id: jane.id, name: jane.name },
      { person_id: tom.id, name: tom.name },
    ]);
    expect(await told()).toEqual([jane.email, tom.email].sort());
    const [{ mail } = { mail: null }] = mails();
    expect(mail?.subject).toContain('mentioned you: Contact');
    expect(mail?.text).toContain(`/inbox/${form.identifier}/${id}`);
    expect(mail?.text).toContain('call');
    expect(mail?.replyTo).toBeUndefined();
    const { body } = await owner.get(notes()).expect(200);
    expect(body).toMatchObject({ notes: [{ text, mentions: [{ name: jane.name }, {}] }] });
  });

  it('is not told who wrote it, whose address is not known to be theirs, or who left since', async () => {
    const [jane, leaving] = [await makeColleague(), await makeColleague()];
    const unverified = await service().makePerson(owner);
    await service().unprove(unverified);
    const browser = await Browser.of(service(), jane.email);
    const sent = { 'note.text': `@${jane.name} @${unverified.email} @${leaving.name}` };
    expect((await browser.post(`/inbox/${form.identifier}/${id}/notes`, sent)).status).toBe(303);
    await owner.delete(`/api/v1/people/${leaving.membershipId}`).expect(200);

    expect(await told()).toEqual([]);
    expect((await owner.deliveriesOf(form, id)).map(({ kind }) => kind)).toEqual(['mention']);
  });

  it('is told of the note that was meant, and of none that was removed', async () => {
    const jane = await makeColleague();
    await write(`@${jane.name} first`);
    const [first] = (await owner.read(notes())).notes;
    await owner.delete(`${notes()}/${first?.id ?? ''}`).expect(200);
    await write(`@${jane.name} second`);

    expect(await told()).toEqual([jane.email]);
    expect(mails()[0]?.mail.text).toContain('second');
  });

  it('gets no more mails in an hour than owners do', async () => {
    const jane = await makeColleague();
    for (let n = 0; n <= CAP; n++) await write(`@${jane.name} ${n}`);

    expect(await told()).toHaveLength(CAP);
  });

  it('is no visitor, and nobody of another account', async () => {
    const stranger = await service().makePerson(await service().openAccount('Another'));

    for (const name of [stranger.name, stranger.email, 'visitor@example.com', 'Nobody']) {
      expect(await write(`@${name}`)).toEqual([]);
    }
    expect(await told()).toEqual([]);
  });
});

it('People of a client mention one another alone, and do not learn who else is mentioned', async () => {
  const client = await owner.makeClient({ form_ids: [form.id] });
  const actions: ('see' | 'triage')[] = ['see', 'triage'];
  const member = await makeColleague();
  const colleague = await makeColleague({ clientId: client, actions });
  const blind = await makeColleague({ clientId: client, actions: [] });
  const other = await owner.makeClient();
  const foreign = await makeColleague({ clientId: other, actions });
  const theirs = service().as(await owner.makeClientToken(client));

  for (const { name, email } of [member, foreign, blind]) {
    expect(await write(`@${name} @${email}`, theirs)).toEqual([]);
  }
  expect(await write(`@${colleague.name}`, theirs)).toHaveLength(1);
  expect(await write(`@${member.name} @${colleague.name} @${foreign.name}`)).toHaveLength(2);
  const [last] = (await theirs.read(notes())).notes.slice(-1);
  expect(last?.mentions).toEqual([{ person_id: colleague.id, name: colleague.name }]);

  expect(await told()).toEqual([colleague.email, colleague.email, member.email].sort());
  expect(await owner.deliveriesOf(form, id)).toHaveLength(3);
  expect(await theirs.deliveriesOf(form, id)).toEqual([]);
  const page = await signedIn(colleague);
  expect(page).toContain(`<mark class="mention">@${colleague.name}</mark>`);
  expect(page).not.toContain(`<mark class="mention">@${member.name}</mark>`);
  expect(page).not.toContain('Mail about a mention');
});

it('The page of a submission offers whom a note may tell, and adds the one who is chosen', async () => {
  const [jane, tom] = [await makeColleague(), await makeColleague()];
  const browser = await Browser.of(service(), jane.email);
  const here = `/inbox/${form.identifier}/${id}`;
  const [, select = ''] = /<select[^>]*name="mention">(.*?)<\/select>/s.exec(await signedIn(jane)) ?? [];
  expect(select).toContain(`value="${tom.id}"`);
  expect(select).not.toContain(`value="${jane.id}"`);

  await browser.post(`${here}/notes`, { 'note.text': 'Look', mention: String(tom.id) });
  expect((await browser.get(here)).text).toContain(`Look <mark class="mention">@${tom.name}</mark>`);
  expect(await told()).toEqual([tom.email]);
});

async function signedIn({ email }: { email: string }): Promise<string> {
  const browser = await Browser.of(service(), email);
  return (await browser.get(`/inbox/${form.identifier}/${id}`)).text;
}
