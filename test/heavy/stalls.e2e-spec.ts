import { expectShortTurns } from '../support/cpu-time.js';
import { sendFile } from '../support/imports.js';
import { useService } from '../support/service.js';
import { Inbox, send, urlencoded, type Sent } from '../support/submit.js';

/** Longest turn of a process that keeps nobody waiting, in milliseconds of computing, with what the test itself does. */
const TURN_MAX_MS = 400;
const MEGABYTE = 1_000_000;

const service = useService();
let inbox: Inbox;
beforeAll(async () => {
  inbox = await Inbox.open(service());
  await inbox.accept(urlencoded([['message', 'Hello']]));
});

/** Repeats a text to a length in characters. */
const filled = (unit: string, length = MEGABYTE) => unit.repeat(Math.floor(length / unit.length));

/** Returns the status of an answer; fails when it takes too long at once. */
async function statusOf(ask: () => PromiseLike<{ status: number }>): Promise<number> {
  let status = 0;
  await expectShortTurns(TURN_MAX_MS, async () => {
    ({ status } = await ask());
  });
  return status;
}

describe('A body whose form is named by a field keeps nobody waiting', () => {
  const multipart = (unit: string): Sent => ({
    type: 'multipart/form-data; boundary=x',
    body: `--x\r\n${filled(unit)}`,
  });
  const urlencodedOf = (unit: string): Sent => ({ type: 'application/x-www-form-urlencoded', body: filled(unit) });
  const jsonOf = (unit: string): Sent => ({ type: 'application/json', body: `{${filled(unit)}` });

  describe.each([
    ['/submit', 'access_key'],
    ['/forminit', 'forminitFormId'],
  ])('at %s, full of', (path, key) => {
    it.each([
      ['headers of a part', multipart(`name="${key}"\r\na`)],
      ['parts without an end', multipart(`name="${key}"\r\n\r\n`)],
      ['empty parts', multipart(`\r\n--x\r\nname="${key}"\r\n\r\n\r\n`)],
      ['delimiters', multipart('\r\n--x')],
      ['pairs without a value', urlencodedOf(`&${key}=`)],
      ['members without an end', jsonOf(`"${key}":"\\`)],
      ['names and blanks', jsonOf(`"${key}"${' '.repeat(20)}`)],
    ])('%s', async (_, sent) => {
      expect([404, 422]).toContain(await statusOf(() => send(service().url + path, sent)));
    });
  });
});

describe('What is moved here keeps nobody waiting', () => {
  const numbered = (unitOf: (n: number) => string) =>
    Array.from({ length: 50_000 }, (_, n) => unitOf(n))
      .join('')
      .slice(0, MEGABYTE - 200);
  const labels = 'long '.repeat(50_000);
  const pattern = 'x{1000}'.repeat(70);
  const patterns = Array.from({ length: 100 }, (_, n) => `<input name=a${n} pattern="${pattern}">`);
  const half = 490_000;

  it.each([
    ['page', 'of fonts around paragraphs', numbered((n) => `<font a${n % 50}><p>`)],
    ['page', 'with one label for all fields', `<form method=post><label>${labels}${'<input name=a>'.repeat(9_000)}`],
    [
      'page',
      'with a label by id for all fields',
      `<label for=x>${labels}</label><form method=post>${'<input id=x name=a>'.repeat(9_000)}`,
    ],
    ['page', 'of forms', filled('<form method=post><input name=a></form>', 500_000)],
    ['page', 'of other fields', `<form method=post>${numbered((n) => `<input name=a${n} required a b c d>`)}`],
    ['page', 'with patterns', `<form method=post>${patterns.join('')}`],
    ['page', 'of choices', `<form method=post><select name=a>${filled('<option>a', 600_000)}`],
    ['formspree', 'deep', '['.repeat(half) + ']'.repeat(half)],
    ['formspree', 'of objects', `[${'{},'.repeat(300_000)}{}]`],
    ['formspree', 'of fields', `{"forms":{"a":{"fields":{${filled('"b":{},', 900_000)}"c":{}}}}}`],
    ['formspree', 'of forms', `{"forms":{${filled('"a":1,', 290_000)}"b":{}}}`],
    ['ids', 'of lines', filled('\n', 999_999)],
    ['ids', 'of ids', filled('abcdefgh\n', 999_999)],
    ['ids', 'of cells', filled('"";', 999_999)],
  ])('%s, %s', async (kind, _, content) => {
    const provider = kind === 'ids' && { provider: 'formspree' };
    const move = { kind, content: content.slice(0, MEGABYTE - 1), ...provider };
    const ask = () => inbox.owner.post('/api/v1/moves', { move, dry_run: true });
    expect([200, 422]).toContain(await statusOf(ask));
  });
});

describe('A submission keeps nobody waiting', () => {
  const nested = (depth: number, value: string) => '{"data":'.repeat(depth) + value + '}'.repeat(depth);

  it.each([
    ['/forminit', 'data in data', nested(14, `[${'1,'.repeat(400_000)}1]`)],
    ['/forminit', 'blocks', `{"blocks":[${'{"name":"a"},'.repeat(70_000)}{}]}`],
    ['/f', 'objects', `{"a":[${'{},'.repeat(300_000)}{}]}`],
    ['/f', 'escapes', `{"a":"${filled('\\u0061', 1_000_000)}"}`],
    ['/f', 'names', `{${Array.from({ length: 60_000 }, (_, n) => `"a${n}":1`).join(',')}}`],
  ])('%s: %s', async (path, _, body) => {
    const { identifier } = inbox.form;
    const url = path === '/f' ? inbox.url : service().url + path;
    const named = path === '/f' ? body : `{"forminitFormId":"${identifier}",${body.slice(1)}`;
    const sent = { type: 'application/json', body: named };
    expect([200, 404, 413, 422]).toContain(await statusOf(() => send(url, sent)));
  });
});

describe('A pattern keeps nobody waiting', () => {
  const PATTERNS = [
    'x{1000}'.repeat(70),
    '(?:a{0,30}){30}',
    '[ab]*a[ab]{490}',
    '(?:\\p{L}?){381}\\d',
    '(?:\\p{L}\\p{N}){45}',
    '[^a]{999}',
    '(?:(?:(?:a?){9}){9}){9}',
    '(?:a|b|c|d|e|f|g|h){120}',
  ];
  const VALUES = ['ab', 'é', 'x', 'a😀'].map((unit) => filled(unit, 60_000));

  it.each(PATTERNS)('where it is set, and where values meet it: %s', async (pattern) => {
    const { owner, form } = inbox;
    const path = `/api/v1/forms/${form.identifier}` as const;
    // Each is another one: what is compiled stays.
    const fields = Array.from({ length: 100 }, (_, n) => ({ name: `a${n}`, pattern: `${pattern}${n}?` }));
    const set = () => owner.put(`${path}/fields`, { fields, on_failure: 'hold' });
    expect([200, 422]).toContain(await statusOf(set));
    const pairs = VALUES.flatMap((value, n) => [[`a${n}`, value] as const]);
    expect(await statusOf(() => inbox.submit(urlencoded(pairs)))).toBe(200);
    const conditions = fields.slice(0, 20).map(({ name: field, pattern: value }) => ({ field, op: 'matches', value }));
    const destination = { kind: 'webhook', url: 'https://example.com/', conditions };
    const preview = () => owner.post(`${path}/destinations/preview`, { destination });
    expect([200, 422]).toContain(await statusOf(preview));
    await owner.setFields(form, []);
  });
});

describe('A file of an import keeps nobody waiting', () => {
  const rowOf = (value: string) => `[{"created_at":"2024-01-01T00:00:00Z","a":${value}}]`;
  const LONG = 4 * MEGABYTE;
  const half = LONG / 2;

  it.each([
    ['netlify', 'of one long row', rowOf(`"${filled('a', LONG)}"`)],
    ['netlify', 'of a row as long as allowed', rowOf(`"${filled('a', 2 * MEGABYTE)}"`)],
    ['netlify', 'of escapes', rowOf(`"${filled('\\u0041', 2 * MEGABYTE)}"`)],
    ['netlify', 'of a deep row', rowOf('['.repeat(half) + ']'.repeat(half))],
    ['netlify', 'of a row half as deep', rowOf('['.repeat(half / 2) + ']'.repeat(half / 2))],
    ['netlify', 'of members', rowOf(`{${filled('"a":{},', 2 * MEGABYTE)}"b":1}`)],
    ['netlify', 'of members of the row', rowOf(`1,${filled('"a":1,', 2 * MEGABYTE)}"b":1`)],
    ['netlify', 'of as many members as allowed', rowOf(`1,${'"a":1,'.repeat(49_990)}"b":1`)],
    ['netlify', 'of lists before the list', `{"a":[${filled('[],', LONG)}[]]}`],
    ['netlify', 'of lists of no submissions', `{${filled('"a":[],', LONG)}"a":1}`],
    ['ndjson', 'of a deep line', '['.repeat(half / 2) + ']'.repeat(half / 2)],
    ['ndjson', 'of a line that does not end', filled('{"a":', 2 * MEGABYTE)],
    ['ndjson', 'of empty lines', filled('\n', LONG)],
    ['csv', 'of quotes', `Date,m\n${filled('"', LONG)}`],
    ['csv', 'of a header of quotes', filled('"a""', LONG)],
    ['csv', 'of cells', `Date,m\n${filled(',', LONG)}`],
    ['csv', 'of rows', `Date,m\n${filled('2024-01-01,x\n', LONG)}`],
    ['csv', 'of dates in either order', `created_at,m\n${filled('3/4/2023,x\n', MEGABYTE)}`],
    ['csv', 'of titles', filled('title\n', LONG)],
    ['csv', 'of a line of signs', `sep=;\n${filled(';"', LONG)}`],
    ['csv', 'of long questions', `${filled('how are you? ', MEGABYTE)}\nx\n`],
    [
      'csv',
      'of names',
      `${Array.from({ length: 1_900 }, (_, n) => `${n}${'é'.repeat(250)}`).join(',')}\n${filled('x\n', LONG)}`,
    ],
    ['csv', 'of a zip', `PK\x03\x04${filled('xl/', LONG)}`],
  ])('%s %s', async (provider, _, file) => {
    const { owner, form } = inbox;
    const ask = () => sendFile(owner, form, provider, file, { path: '/preview', time: 'created_at' });
    expect([200, 400, 415]).toContain(await statusOf(ask));
  });
});
