import { once } from 'node:events';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import { ExportService } from '../../src/jobs/exports/export.service.js';
import { ExportRowsRepository } from '../../src/jobs/exports/export-rows.repository.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, type Caller, type FormBody } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { until } from '../support/until.js';
import { unzip } from '../support/unzip.js';

const service = useService();
let form: FormBody;
const owner = useOwner(service);
beforeEach(async () => {
  form = await owner.makeForm();
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
  return ending === 'xlsx' ? (unzip(bytes)['xl/worksheets/sheet1.xml'] ?? '') : bytes.toString('utf8');
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
  /** Address of an export that streams while it reads: names of all columns are known only at the end. */
  const streamed = `${ending}?columns=m`;

  it.each([
    ['Kontakt', 'Kontakt', 'Kontakt'],
    ['Köln 写', 'K_ln _', 'K%C3%B6ln%20%E5%86%99'],
    ['Sales/Support', 'Sales-Support', 'Sales-Support'],
    ['..\\x', '..-x', '..-x'],
    ["a\"b;c=d%20'e'", "a_b;c=d_20'e'", 'a%22b%3Bc%3Dd%2520%27e%27'],
    ['x'.repeat(255), 'x'.repeat(100), 'x'.repeat(100)],
  ])('names its file after the form %j and the day', async (name, ascii, encoded) => {
    form = await owner.makeForm({ name });
    const today = () => new Date().toISOString().slice(0, 10);
    const before = today();
    const { headers } = await begin(ending);

    const expected = [before, today()].map(
      (day) => `attachment; filename="${ascii} ${day}.${ending}"; filename*=UTF-8''${encoded}%20${day}.${ending}`,
    );
    expect(expected).toContain(headers['content-disposition']);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('has every submission once when there are more than are read at a time', async () => {
    const wanted = Array.from({ length: 130 }, (_, n) => `number ${n}.`);
    await Promise.all(wanted.map((m) => service().submit(form, { m })));

    const found = (await exported()).match(/number \d+\./g) ?? [];

    expect(found).toHaveLength(130);
    expect(new Set(found)).toEqual(new Set(wanted));
  });

  it('ends at the newest submission of when it was asked for, and has the rest as it is when it is read', async () => {
    const spam = await service().submitSpam(form, { m: 'called no spam in time', late: 'alone' });
    const ids = new Map<string, string>();
    for (const m of ['erased', 'thrown away', 'marked', 'newest']) {
      ids.set(m, await service().submit(form, { m }));
    }
    const path = (id = '') => `${pathOf(form)}/${id}` as const;
    const meanwhile = [
      async () => {
        await service().submit(form, { m: 'too late' });
      },
      async () => {
        const [erased, thrown] = [ids.get('erased'), ids.get('thrown away')];
        await owner.delete(path(erased)).expect(200);
        await owner.patch(path(thrown), { submission: { trash: true } }).expect(200);
        await owner.patch(path(spam), { submission: { spam: false } }).expect(200);
      },
    ];
    const rows = service().app.get(ExportRowsRepository);
    const newest = rows.newest.bind(rows);
    // Each statement reads one row, after something has happened.
    jest.spyOn(rows, 'newest').mockImplementation(async (formId, filter, bound, _, maxBytes) => {
      await meanwhile.shift()?.();
      return newest(formId, filter, bound, 1, maxBytes);
    });

    const text = await exported();

    const found = text.match(/newest|marked|thrown away|erased|too late|called no spam/g);
    expect(found).toEqual(['newest', 'marked', 'called no spam']);
    expect(text).toContain('late');
    expect(text).toContain('alone');
  });

  it('has values of every length, in their order', async () => {
    const lengths = [10, 5_000, 60_000, 20, 50_000, 4_000];
    for (const n of lengths) await service().submit(form, { m: `${n}:${'x'.repeat(n)}.` });

    const found = [...(await exported()).matchAll(/\b(\d+):(x+)/g)].map(([, n, x]) => [n, x?.length]);

    const cut = (n: number) => (ending === 'xlsx' ? Math.min(n, 32_767 - `${n}:`.length) : n);
    expect(found).toEqual(lengths.reverse().map((n) => [String(n), cut(n)]));
  });

  it('ends when nobody reads it any more, and fails nobody', async () => {
    await service().submit(form, { m: 'hello' });
    const { begun, givenUp } = makeExportsEndless();
    const before = service().log.length;

    const response = await begin(streamed);
    response.resume();
    await begun;
    response.destroy();
    await givenUp;

    expect((await owner.list(form)).count).toBe(1);
    expect(service().log.slice(before)).not.toContain('"level":"error"');
  });

  it('ends before its first byte when nobody waits for it any more', async () => {
    await service().submit(form, { m: 'hello' });
    const reader = service().app.get(ExportService);
    const read = reader.read.bind(reader);
    let reads = 0;
    const endless = jest.spyOn(reader, 'read').mockImplementation(async function* (...asked) {
      for (;;) {
        reads++;
        yield* read(...asked);
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
      await owner.list(form);
      await owner.list(form);
      return reads === before;
    });
    expect(endless).toHaveBeenCalled();
  });

  it('takes turns with visitors', async () => {
    await service().submit(form, { m: 'hello' });
    const { begun, givenUp } = makeExportsEndless();
    const response = await begin(streamed);
    response.resume();
    await begun;

    for (let n = 0; n < 20; n++) await service().submit(form, { m: `meanwhile ${n}` });

    expect(await owner.countOf(form)).toBe(21);
    response.destroy();
    await givenUp;
  });

  it('breaks off, for all to see, when the database fails on the way', async () => {
    await service().submit(form, { m: 'hello' });
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

    const response = await begin(streamed);
    await expect(textOf(response, ending)).rejects.toThrow('aborted');
  });
});

it('Few exports at a time are sent to a token and to an account, and others have theirs', async () => {
  const stranger = await service().openAccount();
  const csv = `${pathOf(form)}.csv` as const;
  const strangers = `${pathOf(await stranger.makeForm())}.csv` as const;
  const read = jest.spyOn(service().app.get(ExportService), 'read');
  let release = (): void => undefined;
  const isRead = new Promise<void>((resolve) => (release = resolve));
  read.mockImplementation(async function* () {
    await isRead;
    yield [];
  });
  const open: ClientRequest[] = [];
  const begin = async ({ secret }: Caller) => {
    for (let n = 0; n < 4; n++) {
      const headers = { Authorization: `Bearer ${secret ?? ''}` };
      open.push(get(`${service().url}${csv}`, { headers }).on('error', () => undefined));
    }
    await until(() => read.mock.calls.length === open.length);
  };

  await begin(owner);
  await owner.get(csv).expect(refusal(429, 'too_many_exports'));
  for (let n = 0; n < 3; n++) await begin(service().as((await owner.makeToken()).token));
  const another = service().as((await owner.makeToken()).token);
  await another.get(csv).expect(refusal(429, 'too_many_exports'));
  jest.restoreAllMocks();
  await stranger.get(strangers).expect(200);

  for (const call of open) call.destroy();
  release();
  await until(async () => (await another.get(csv)).status === 200);
});
