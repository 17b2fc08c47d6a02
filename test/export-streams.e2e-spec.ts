import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { ExportService } from '../src/submissions/export/export.service.js';
import { SubmissionWalk } from '../src/submissions/search/submission-walk.js';
import { makeForm, type FormBody } from './support/make.js';
import { refusal } from './support/refusal.js';
import { useService, type Caller } from './support/service.js';
import { countOf, listed, pathOf, submit, submitSpam } from './support/submissions.js';
import { until } from './support/until.js';
import { unzip } from './support/unzip.js';

const service = useService();
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  owner = await service().openAccount();
  form = await makeForm(owner);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Begins an export, and gives its answer as soon as its headers are there. */
async function begin(ending: string): Promise<IncomingMessage> {
  const headers = { Authorization: `Bearer ${owner.secret ?? ''}` };
  const call = get(`${service().url}${pathOf(form)}.${ending}`, { headers });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return response;
}

async function textOf(response: IncomingMessage, ending: string): Promise<string> {
  const bytes = Buffer.concat(await response.toArray());
  return ending === 'xlsx'
    ? (unzip(bytes)['xl/worksheets/sheet1.xml'] ?? '')
    : bytes.toString('utf8');
}

/** Makes every export read the same rows for ever; tells when one has begun, and when it was given up. */
function makeExportsEndless(): { begun: Promise<void>; givenUp: Promise<void> } {
  const exports = service().app.get(ExportService);
  const begin = exports.begin.bind(exports);
  let begun: () => void = () => undefined;
  let givenUp = begun;
  const promises = {
    begun: new Promise<void>((resolve) => (begun = resolve)),
    givenUp: new Promise<void>((resolve) => (givenUp = resolve)),
  };
  jest.spyOn(exports, 'begin').mockImplementation(async (...request) => {
    const source = await begin(...request);
    async function* rows() {
      begun();
      try {
        for (;;) yield* source.rows();
      } finally {
        givenUp();
      }
    }
    return { ...source, rows };
  });
  return promises;
}

describe.each(['csv', 'ndjson', 'xlsx'])('An export as %s', (ending) => {
  const exported = async (query = '') => {
    const path = `${ending}?${query}`;
    return textOf(await begin(path), ending);
  };

  it('takes the filters of the list', async () => {
    for (const m of ['wanted', 'other']) await submit(service(), form, { m });
    await submitSpam(service(), form, { m: 'wanted junk' });

    const inbox = await exported();
    expect(inbox).toMatch(/other[^]*wanted/);
    expect(inbox).not.toContain('junk');
    const found = await exported('query=WANTED&spam=all');
    expect(found).toContain('wanted junk');
    expect(found).not.toContain('other');
    expect(await exported('from=2999-01-01')).not.toContain('wanted');
    await owner
      .get(`${pathOf(form)}.${ending}?spam=x`)
      .expect(refusal(422, 'invalid_fields', 'spam'));
  });

  it.each([
    ['Kontakt', 'Kontakt', 'Kontakt'],
    ['Köln 写', 'K_ln _', 'K%C3%B6ln%20%E5%86%99'],
    ['Sales/Support', 'Sales-Support', 'Sales-Support'],
    ['..\\x', '..-x', '..-x'],
    ["a\"b;c=d%20'e'", "a_b;c=d_20'e'", 'a%22b%3Bc%3Dd%2520%27e%27'],
    ['x'.repeat(255), 'x'.repeat(100), 'x'.repeat(100)],
  ])('names its file after the form %j and the day', async (name, ascii, encoded) => {
    form = await makeForm(owner, { name });
    const today = () => new Date().toISOString().slice(0, 10);
    const before = today();
    const { headers } = await begin(ending);

    const expected = [before, today()].map(
      (day) =>
        `attachment; filename="${ascii} ${day}.${ending}"; filename*=UTF-8''${encoded}%20${day}.${ending}`,
    );
    expect(expected).toContain(headers['content-disposition']);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('has every submission once when there are more than are read at a time', async () => {
    const wanted = Array.from({ length: 130 }, (_, n) => `number ${n}.`);
    await Promise.all(wanted.map((m) => submit(service(), form, { m })));

    const found = (await exported()).match(/number \d+\./g) ?? [];

    expect(found).toHaveLength(130);
    expect(new Set(found)).toEqual(new Set(wanted));
  });

  it('ends when nobody reads it any more, and fails nobody', async () => {
    await submit(service(), form, { m: 'hello' });
    const { begun, givenUp } = makeExportsEndless();
    const before = service().log.length;

    const response = await begin(ending);
    response.resume();
    await begun;
    response.destroy();
    await givenUp;

    expect((await listed(owner, form)).count).toBe(1);
    expect(service().log.slice(before)).not.toContain('"level":"error"');
  });

  it('ends before its first byte when nobody waits for it any more', async () => {
    await submit(service(), form, { m: 'hello' });
    const found = service().app.get(SubmissionWalk);
    const upTo = found.upTo.bind(found);
    let reads = 0;
    const endless = jest.spyOn(found, 'upTo').mockImplementation(async function* (...asked) {
      for (;;) {
        reads++;
        yield* upTo(...asked);
      }
    });
    const call = get(`${service().url}${pathOf(form)}.${ending}`, {
      headers: { Authorization: `Bearer ${owner.secret ?? ''}` },
    });
    call.on('error', () => undefined); // what we do to it ourselves

    await until(() => reads > 2);
    call.destroy();

    await until(async () => {
      const before = reads;
      await listed(owner, form);
      await listed(owner, form);
      return reads === before;
    });
    expect(endless).toHaveBeenCalled();
  });

  it('takes turns with visitors', async () => {
    await submit(service(), form, { m: 'hello' });
    const { begun, givenUp } = makeExportsEndless();
    const response = await begin(ending);
    response.resume();
    await begun;

    for (let n = 0; n < 20; n++) await submit(service(), form, { m: `meanwhile ${n}` });

    expect(await countOf(owner, form)).toBe(21);
    response.destroy();
    await givenUp;
  });

  it('breaks off, for all to see, when the database fails on the way', async () => {
    await submit(service(), form, { m: 'hello' });
    const exports = service().app.get(ExportService);
    const begin_ = exports.begin.bind(exports);
    jest.spyOn(exports, 'begin').mockImplementation(async (...request) => {
      const source = await begin_(...request);
      async function* rows() {
        for (let n = 0; n < 100; n++) yield* source.rows();
        throw new Error('The disk is on fire.');
      }
      return { ...source, rows };
    });

    const response = await begin(ending);
    await expect(textOf(response, ending)).rejects.toThrow('aborted');
  });
});
