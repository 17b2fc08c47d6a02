import { json, multipart, urlencoded, type Sent } from '../support/submit.js';
import { until } from '../support/until.js';
import { get, Meter } from './kit/meter.js';

const JOB_MAX_MS = 60_000;
const MIB = 1024 * 1024;
/** Submissions of the form, of a megabyte each. */
const SUBMISSIONS = 60;
/** A body has so many bytes beside the value. */
const AROUND = 512;
/** Both limits at what a body may have by default. */
const SETTINGS = { MAX_FIELD_VALUE_BYTES: `${MIB}` };
/** Characters that formats write longer than they are, that take two bytes in memory, and plain ones. */
const ALPHABETS = ['"<&\n', 'Ж 🦓 ', 'hello world '];

/** Repeats text until it has that many bytes, or a little less. */
function textOf(text: string, bytes: number): string {
  return text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
}

describe('A form that gets values of a megabyte alone', () => {
  let meter: Meter;
  let identifier: string;
  let visitors = 0;
  /** Headers of what the owner's browser sends. */
  let page: Record<string, string>;

  beforeAll(async () => {
    meter = await Meter.start('', SETTINGS);
    page = await meter.signIn();
    identifier = await meter.makeForm({ name: 'Essays' });
  });
  afterAll(() => meter.stop());

  /** Sends as a visitor of its own, since one that sends the same again counts once. */
  const submit = (sent: Sent) =>
    meter.submit(identifier, { ...sent, headers: { 'User-Agent': `visitor/${++visitors}` } });

  /** Exports as a job, and downloads its file. */
  async function exportByJob(format: string): Promise<void> {
    const { body } = await meter.api('POST', `forms/${identifier}/exports`, { format });
    const path = `jobs/${String(body.id)}`;
    await until(async () => {
      const job = (await meter.api('GET', path)).body;
      if (!['waiting', 'running', 'finished'].includes(String(job.state)))
        throw new Error(`The job is ${String(job.state)}.`);
      return job.state === 'finished';
    }, JOB_MAX_MS);
    await meter.request(get(`/api/v1/${path}/file`));
  }

  // First, since the others read what it submits.
  it('takes them in without making anybody wait', async () => {
    const encodings: [string, (value: string) => Sent, number][] = [
      ['multipart', (value) => multipart([['essay', value]]), 1],
      ['JSON', (value) => json([['essay', value]]), 2],
      ['urlencoded', (value) => urlencoded([['essay', value]]), 3],
    ];
    const found: string[] = [];
    for (const [name, encode, share] of encodings) {
      for (const alphabet of ALPHABETS) {
        const sent = encode(textOf(alphabet, (MIB - AROUND) / share));
        found.push(...(await meter.tooCostly(`${name} ${alphabet}`, () => submit(sent))));
      }
    }
    for (let n = 0; n < SUBMISSIONS; n++) {
      const alphabet = ALPHABETS[n % ALPHABETS.length] ?? '';
      // With an address, whose page has a mail to it that quotes the rest.
      const address: [string, string] = ['email', 'jane@example.com'];
      await submit(multipart([address, ['essay', textOf(alphabet, MIB - AROUND)]]));
    }
    expect(found).toEqual([]);
    // None is spam, which exports by jobs would leave out.
    const { body } = await meter.api('GET', `forms/${identifier}`);
    expect(body.submission_count).toBeGreaterThanOrEqual(SUBMISSIONS);
  });

  it('lists, searches and counts them', async () => {
    const form = `/api/v1/forms/${identifier}` as const;
    const paths = [
      `${form}/submissions?spam=all&per_page=100`,
      `${form}/submissions?spam=all&query=hello`,
      `${form}/submissions?spam=all&query=nothing+has+this`,
      `/api/v1/submissions?q=form:${identifier}+zebra`,
      `${form}/value_exists?field=essay&value=hello`,
      `${form}/statistics?by=day`,
    ];
    await meter.expectCheap(paths.map((path) => get(path)));
  });

  it('shows them on its pages', async () => {
    const path = `forms/${identifier}/submissions?spam=all&per_page=3`;
    const { submissions } = (await meter.api('GET', path)).body;
    const ids = (submissions as { id: string }[]).map(({ id }) => id);
    expect(ids).toHaveLength(ALPHABETS.length);
    const paths = [
      '/inbox',
      `/inbox?q=form:${identifier}+hello`,
      ...ids.map((id) => `/inbox/${identifier}/${id}`),
      ...ids.map((id) => `/inbox/${identifier}/${id}/value?at=2`),
      `/forms/${identifier}`,
      `/forms/${identifier}/statistics`,
    ];
    await meter.expectCheap(paths.map((path) => get(path, page)));
  });

  it.each(['csv', 'ndjson', 'xlsx'])('exports them as %s, at once and by a job', async (format) => {
    const path = `/api/v1/forms/${identifier}/submissions.${format}?spam=all&trash=all` as const;
    await meter.expectCheap([get(path)]);
    expect(await meter.tooCostly(`job ${format}`, () => exportByJob(format))).toEqual([]);
  });
});
