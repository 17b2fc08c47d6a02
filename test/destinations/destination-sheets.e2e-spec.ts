import { documentedScript, Sheet } from '../support/apps-script.js';
import { useClock } from '../support/clock.js';
import { addDestination, lastAttempt, sendAndDeliver } from '../support/destinations.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { useReceiver, answers, type Behaviour } from '../support/webhook-receiver.js';

const service = useService({
  WORKERS: 'off',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  MAX_FIELD_VALUE_BYTES: '1000000',
});
const clock = useClock();

let sheet: Sheet;
let owner: Caller;
let form: FormBody;
const receiver = useReceiver();
beforeEach(async () => {
  sheet = new Sheet();
  owner = await service().openAccount();
  form = await owner.makeForm({ name: '=Contact', notify_owner_on_submission: false });
  await addDestination(owner, form, 'google_sheets', receiver, { secret: 'S1' });
  receiver.behaviour = runs(documentedScript(sheet, 'S1'));
});
/** Runs a web app: a POST is answered by a redirect to where its answer is. */
function runs(script: (body: string) => string, to = '/macros/echo'): Behaviour {
  let answer = '';
  return (response, request) => {
    if (request.method === 'GET') answers(200, answer)(response, request);
    else {
      answer = script(receiver.last.body);
      answers(302, '<HTML>Moved Temporarily</HTML>', { location: to })(response, request);
    }
  };
}

const ended = (id: string) => lastAttempt(owner, form, id);
const sent = (values: object) => sendAndDeliver(service(), owner, form, values);

describe('The script for Google Sheets', () => {
  it('adds a row for each submission, and a column for each new field', async () => {
    expect(await sent({ name: 'Jane', age: 42 })).toMatchObject({ state: 'delivered', code: 200 });
    await sent({ colour: ['red', 'blue'], name: 'Bob' });
    for (let i = 0; i < 3; i++) await sent({ name: 'More' });

    const [header, one, two, ...others] = sheet.cells;
    expect(header).toEqual([...['Delivery', 'Received', 'Form', 'Page', 'More', 'name', 'age', 'colour']]);
    expect(one?.slice(2)).toEqual(['=Contact', expect.stringContaining('/inbox/'), ...['', 'Jane', 42]]);
    expect(two?.slice(5)).toEqual(['Bob', '', 'red, blue']);
    expect(others).toHaveLength(3);
  });

  it('keeps what visitors write as text, all digits of long numbers, and our own columns', async () => {
    const body =
      '{"n":12345678901234567890,"f":"=IMPORTXML(1)","p":"+41 79","z":"007","Delivery":"x",' +
      '"q":"\\"12345678901234567890\\\\","o":[1.5,true],"e":""}';
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    await fetch(`${service().url}/f/${form.identifier}`, { method: 'POST', headers, body });
    await service().sendDue();

    expect(sheet.cells[1]?.[0]).toMatch(/^msg_/);
    expect(sheet.cells[1]?.slice(5)).toEqual([
      ...['12345678901234567890', '=IMPORTXML(1)', '+41 79', '007', 'x'],
      ...['"12345678901234567890\\', '1.5, true', ''],
    ]);
  });

  it.each([
    '1.10',
    '007',
    '0.50',
    '-0',
    '+49',
    '+49 30 1234',
    '=1+1',
    '-1+1',
    '@name',
    "'quoted",
    '1e3',
    '5/17',
    '2026-01-02',
    '12:30',
    '50%',
    '€ 5',
    'TRUE',
    ' 7 ',
    '12345678901234567890',
    '0.1234567890123456789',
  ])('keeps %j as it was typed', async (text) => {
    expect(await sent({ text })).toMatchObject({ state: 'delivered' });
    expect(sheet.cells[1]?.[5]).toBe(text);
  });

  it.each([
    ['7', 7],
    ['-5', -5],
    ['0.5', 0.5],
  ])('can count with %j', async (text, number) => {
    await sent({ text });
    expect(sheet.cells[1]?.[5]).toBe(number);
  });

  it('keeps the digits of numbers that are none of text', async () => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const body = '{"price":1.10,"much":1e3,"of":{"it":2.50},"seven":7}';
    await fetch(`${service().url}/f/${form.identifier}`, { method: 'POST', headers, body });
    await service().sendDue();
    expect(sheet.cells[1]?.slice(5)).toEqual(['1.10', '1e3', '{"it":"2.50"}', 7]);
  });

  it('has line feeds alone in its cells', async () => {
    await sent({ text: 'One\r\ntwo\rthree\nfour' });
    expect(sheet.cells[1]?.[5]).toBe('One\ntwo\nthree\nfour');
  });

  it('joins what has one name', async () => {
    const body = new FormData();
    body.append('cv', '=none');
    body.append('cv', new File(['text'], 'cv.pdf'));
    await fetch(`${service().url}/f/${form.identifier}`, { method: 'POST', body });
    await service().sendDue();
    expect(sheet.cells[1]?.[5]).toMatch(/^=none, http.*\/files\//);
  });

  it('takes 300 fields, 900 kB, emoji and control characters', async () => {
    const fields = Array.from({ length: 300 }, (_, i) => [`field ${i}`, `Value ${i}`] as const);
    expect(await sent(Object.fromEntries(fields) as object)).toMatchObject({ state: 'delivered' });
    expect(sheet.cells[0]).toHaveLength(200);
    expect(sheet.cells[1]?.[4]).toContain('field 299: Value 299');

    const long = { 'a\u0001\n': 'Many "words" \\ '.repeat(55_000), b: '😀\u0001' };
    expect(await sent(long)).toMatchObject({ state: 'delivered' });
  });

  it('has links to files under the names of their fields', async () => {
    await service().submitFile(form, 'text', { name: '"cv".pdf' });
    await service().sendDue();
    expect(sheet.cells[0]?.slice(5)).toEqual(['email', 'cv']);
    expect(sheet.cells[1]?.[6]).toMatch(/^http.*\/files\//);
  });

  it('adds one row when it is sent twice, since its answer was lost', async () => {
    const script = documentedScript(sheet, 'S1');
    receiver.behaviour = (...call) => {
      script(receiver.last.body);
      answers(503)(...call);
    };
    const id = await service().deliver(form, { name: 'Jane' });
    const { state, next } = await ended(id);
    expect(state).toBe('pending');

    receiver.behaviour = runs(script);
    clock.forwardTo(next);
    await service().sendDue();
    expect(await ended(id)).toMatchObject({ state: 'delivered', tries: 2 });
    expect(sheet.cells).toHaveLength(2);
  });

  it.each<[string, () => Behaviour]>([
    ['of another secret', () => runs(documentedScript(sheet, 'S2'))],
    ['without the lock', () => runs(documentedScript(sheet, 'S1', () => false))],
    ['that asks to sign in', () => answers(200, '<html>Sign in to continue</html>')],
    ['that sends us elsewhere', () => runs(() => '{"ok":true}', 'https://example.com/')],
    ['that sends us to a private address', () => runs(() => '{"ok":true}', 'http://10.0.0.1/')],
    ['that sends us on and on', () => answers(302, '', { location: '/again' })],
  ])('is no success %s', async (_, behaviour) => {
    receiver.behaviour = behaviour();
    expect(await sent({ name: 'Jane' })).toMatchObject({ state: 'pending', outcome: 'refused' });
    expect(sheet.cells).toEqual([]);
  });
});
