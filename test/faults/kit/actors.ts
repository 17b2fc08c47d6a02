import { setTimeout as pause } from 'node:timers/promises';
import type { Schemas } from '../../../build/api.js';
import { Caller, type Method } from '../../support/caller.js';
import { until } from '../../support/until.js';
import { Model, type Dice, type Entry, type Place } from './model.js';

/** Parts in which the file of an export is read. */
const FILE_PARTS = 3;

const PEOPLE = 30;
const REST_MS = 5;
/** A service that was killed is started again in the meantime. */
const AWAY_MS = 50;
/** A killed service is up again after seconds, and takes up its jobs soon after. */
const INSIST_MS = 60_000;
/** Counts follow when the load has gone. */
const COUNTED_MS = 60_000;

type Row = Schemas['SubmissionDto'] & { values: { number: number; email: string } };
type Job = Schemas['BulkJobDto'];

const isOver = ({ state }: Job): boolean => state !== 'waiting' && state !== 'running';

/**
 * Uses one account at random, as people and programs of every kind, and compares what it sees with a
 * model.
 */
export class Actors {
  readonly model = new Model();
  /** Observations that must not happen. */
  readonly violations: string[] = [];
  readonly done: Record<string, number> = {};
  private stopped = false;
  private readonly forms: string[] = [];

  private readonly owner: Caller;
  private readonly visitor: Caller;

  constructor(
    url: string,
    token: string,
    private readonly dice: Dice,
  ) {
    this.owner = new Caller(url, token);
    this.visitor = new Caller(url, null);
  }

  /** @param forms identifiers */
  async run(forms: string[], untilStopped: Promise<void>): Promise<void> {
    this.forms.push(...forms);
    void untilStopped.then(() => (this.stopped = true));
    const actors = [
      ...Array.from({ length: 6 }, () => () => this.submit()),
      ...Array.from({ length: 3 }, () => () => this.mark()),
      () => this.remove(),
      () => this.erase(),
      ...Array.from({ length: 2 }, () => () => this.walk()),
      () => this.export('ndjson'),
      () => this.export('csv'),
      ...Array.from({ length: 2 }, () => () => this.exportByJob()),
      () => this.search(),
      () => this.sweep(),
      () => this.comeAndGo(),
    ];
    await Promise.all(actors.map((act) => this.repeat(act)));
  }

  /** Compares everything that is there with the model; nothing may be under way. */
  async compareAll(): Promise<void> {
    for (const form of this.forms) {
      const { rows, count } = await this.follow(`${listOf(form)}?spam=all&trash=all`);
      const found = new Map(rows.map((row) => [row.id, row]));
      this.expect(found.size === rows.length, `${form}: a submission is listed twice`);
      this.expect(count === rows.length, `${form}: counts ${count} and lists ${rows.length}`);
      for (const entry of this.entriesOf(form)) {
        const place = placeOf(found.get(entry.id));
        this.expect(entry.places.has(place), `${entry.id} is ${place}, not ${[...entry.places].join(' or ')}`);
      }
      for (const { id, values } of rows) {
        if (this.model.entries.has(id)) continue;
        const known = this.model.unanswered.delete(values.number);
        this.expect(known, `${id} is there, and nobody sent it or it is there twice`);
      }
      const inbox = rows.filter((row) => placeOf(row) === 'inbox');
      const { submission_count: counted } = await this.owner.read(`/api/v1/forms/${form}`);
      this.expect(counted === inbox.length, `${form}: submission_count ${counted}, and there are ${inbox.length}`);
      for (const person of this.people()) {
        const query = new URLSearchParams({ field: 'email', value: person });
        const { exists } = await this.owner.read(`/api/v1/forms/${form}/value_exists?${query}`);
        const there = inbox.some(({ values }) => values.email === person);
        this.expect(exists === there, `${form}: value_exists ${person} ${exists}, and it is ${there}`);
      }
    }
  }

  /** Waits until all jobs are over: whoever is killed leaves theirs to others. */
  async compareJobs(): Promise<void> {
    let open: Job[] = [];
    await until(async () => {
      const { jobs } = await this.owner.read('/api/v1/jobs');
      open = jobs.filter((job) => !isOver(job));
      return open.length === 0;
    }, INSIST_MS).catch(() => undefined);
    for (const { q, state } of open) this.violations.push(`the job of ${q} is still ${state}`);
  }

  /** Waits until what was stored is counted: each once, whatever became of it. */
  async compareStatistics(): Promise<void> {
    for (const form of this.forms) {
      const acknowledged = this.entriesOf(form).length;
      const perhaps = [...this.model.unanswered.values()].filter((to) => to === form).length;
      let counted = 0;
      await until(async () => {
        const { totals } = await this.owner.read(`/api/v1/forms/${form}/statistics`);
        counted = totals.submissions + totals.spam;
        return counted >= acknowledged;
      }, COUNTED_MS).catch(() => undefined);
      this.expect(
        counted >= acknowledged && counted <= acknowledged + perhaps,
        `${form}: ${counted} are counted as received, of ${acknowledged} and perhaps ${perhaps}`,
      );
    }
  }

  /** Ids that were acknowledged, and surely never were spam or removed: what webhooks were called for. */
  get untouched(): Entry[] {
    return [...this.model.entries.values()].filter(({ version, places }) => version === 0 && places.size === 1);
  }

  private async repeat(act: () => Promise<void>): Promise<void> {
    while (!this.stopped) {
      try {
        await act();
        await pause(REST_MS);
      } catch {
        await pause(AWAY_MS);
      }
    }
  }

  private async submit(): Promise<void> {
    const form = this.dice.pick(this.forms) ?? '';
    const email = this.somebody();
    const number = this.model.nextNumber();
    this.model.unanswered.set(number, form);
    const sent = { number, email, note: `note ${number % 7}` };
    const { status, body } = await this.visitor.post(`/f/${form}`, sent);
    if (status !== 200) return; // 503: perhaps, as with no answer
    const { id } = body as { id: string };
    this.model.unanswered.delete(number);
    // Who is erased or swept meanwhile may have been so with this or before it.
    const place = this.model.retired.get(email);
    this.model.add({ id, form, number, email }, place ? ['inbox', place] : ['inbox']);
    this.count('submitted');
  }

  private async mark(): Promise<void> {
    const form = this.dice.pick(this.forms) ?? '';
    const move = this.dice.pick(MOVES);
    if (!move) return;
    const { from, to, marks } = move;
    // A job that throws away what somebody sent may meet in the inbox what comes there while it runs.
    const settled = this.model.settledAt(form, from);
    const entry = this.dice.pick(settled.filter(({ email }) => !this.model.retired.has(email)));
    if (!entry) return;
    await this.model.move([entry], to, () => this.send('patch', `${listOf(form)}/${entry.id}`, { submission: marks }));
    this.count('marked');
  }

  private async remove(): Promise<void> {
    const form = this.dice.pick(this.forms) ?? '';
    const entry = this.dice.pick(this.model.settledAt(form, 'trash'));
    if (!entry) return;
    await this.model.move([entry], 'gone', () => this.send('delete', `${listOf(form)}/${entry.id}`));
    this.count('removed');
  }

  /** Erases a person nobody writes as any more, in every form, and looks that nothing is left. */
  private async erase(): Promise<void> {
    await pause(300);
    const email = `person-${this.dice.below(PEOPLE)}-${this.model.retired.size}@example.com`;
    if (this.model.retired.has(email)) return;
    this.model.retired.set(email, 'gone');
    for (const form of this.forms) {
      const entries = this.entriesOf(form).filter((entry) => entry.email === email);
      if (entries.some(({ busy }) => busy)) continue;
      const query = new URLSearchParams({ field: 'email', value: email });
      await this.model.move(entries, 'gone', () => this.send('delete', `${listOf(form)}?${query}`));
      if (!entries.every(({ places }) => places.size === 1)) continue;
      const exported = await this.owner.download(`${listOf(form)}.ndjson?spam=all&trash=all`);
      for (const { id } of entries) {
        this.expect(!exported.includes(id), `${id} was erased and is in an export`);
      }
      this.count('erased');
    }
  }

  /** Follows the links of a list to its end: what stood still is there once. */
  private async walk(): Promise<void> {
    const form = this.dice.pick(this.forms) ?? '';
    const { stood } = this.model.watch(form, 'inbox');
    const { rows } = await this.follow(`${listOf(form)}?per_page=${10 + this.dice.below(40)}`);
    this.compare(
      `a walk through ${form}`,
      rows.map(({ id }) => id),
      stood(),
    );
    this.count('walked');
  }

  /** Looks for an address: what stood still is found once, what was gone before is not, and nothing else. */
  private async search(): Promise<void> {
    const form = this.dice.pick(this.forms) ?? '';
    const word = this.dice.pick(this.people()) ?? '';
    const { stood } = this.model.watch(form, 'inbox');
    const gone = new Set(this.model.settledAt(form, 'gone').map(({ id }) => id));
    const what = `a search for ${word} in ${form}`;
    const query = new URLSearchParams({ q: `form:${form} ${word.toUpperCase()}` });
    const { rows: found } = await this.follow(`/api/v1/submissions?${query}`);
    const ids = found.map(({ id }) => id);
    this.compare(
      what,
      ids,
      stood().filter(({ email }) => email === word),
    );
    for (const { id, values } of found) {
      this.expect(values.email === word, `${what} shows ${id} of ${values.email}`);
      this.expect(!gone.has(id), `${what} shows ${id}, which was gone`);
    }
    this.count('searched');
  }

  /** Has a job throw away what somebody sent to a form, whom nobody writes as any more, and waits for its end. */
  private async sweep(): Promise<void> {
    await pause(200);
    const form = this.dice.pick(this.forms) ?? '';
    const email = this.somebody();
    const entries = this.entriesOf(form).filter((entry) => entry.email === email);
    if (entries.some(({ busy }) => busy)) return;
    this.model.retired.set(email, 'trash');
    const there = entries.filter(({ places }) => places.has('inbox'));
    const isSure = ({ places }: Entry): boolean => places.size === 1;
    for (const { places } of there.filter((entry) => !isSure(entry))) places.add('trash');
    const q = `form:${form} email:${email}`;
    await this.model.move(there.filter(isSure), 'trash', async () => {
      const body = { q, changes: { trash: true } };
      const job = await this.insist(() => this.startedJob(q, '/api/v1/submissions/bulk', body));
      if (job === null) return false;
      const { state } = await this.insist(() => this.jobOver(job));
      this.expect(state === 'finished', `the job of ${q} ended as ${state}`);
      return true;
    });
    this.count('swept');
  }

  /** Returns the job with this filter, which it makes unless a lost answer hides that it is there. */
  private async startedJob(q: string, path: string, body: object): Promise<Job | null> {
    const { jobs } = await this.owner.read('/api/v1/jobs');
    const known = jobs.find((job) => job.q === q);
    if (known) return known;
    const { status, ok, body: job } = await this.owner.post(path, body);
    if (status >= 500) throw new Error(`a job for ${q}: ${status}`);
    return ok ? (job as Job) : null;
  }

  /** @throws when it is not over */
  private async jobOver({ id, q }: Job): Promise<Job> {
    const job = await this.owner.read(`/api/v1/jobs/${id}`);
    if (!isOver(job)) throw new Error(`${q}: ${job.state}`);
    return job;
  }

  /**
   * Has a job export a form, and reads its file in parts. It holds what was there when it was asked for, each once, and
   * nothing that was removed before it is read. Some jobs are stopped.
   */
  private async exportByJob(): Promise<void> {
    await pause(100);
    const form = this.dice.pick(this.forms) ?? '';
    // A moment long ago, which tells this job from others.
    const q = `from:${new Date(this.model.nextNumber() * 1_000).toISOString()}`;
    const what = `the export of ${form} by a job ${q}`;
    const { stood } = this.model.watch(form, 'inbox');
    const removals = this.model.removals.get(form);
    const path = `/api/v1/forms/${form}/exports` as const;
    const job = await this.insist(() => this.startedJob(q, path, { q, format: 'ndjson' }));
    if (job === null) return;
    const last = this.model.lastNumber;
    if (this.dice.roll() < 0.2) await this.insist(() => this.send('delete', `/api/v1/jobs/${job.id}`));
    const over = await this.insist(() => this.jobOver(job));
    const remained = stood();
    const gone = this.model.settledAt(form, 'gone');
    const file = await this.fileOf(over);
    if (over.state === 'stopped') {
      this.expect(file === null, `${what} was stopped and has a file`);
      this.count('exports stopped');
      return;
    }
    const { state, error } = over;
    const isErased = state === 'failed' && error?.code === 'erased_meanwhile';
    this.expect(state === 'finished' || isErased, `${what} ended as ${state} ${error?.code}`);
    if (file === null) {
      const isSo = this.model.removals.get(form) !== removals;
      this.expect(isSo, `${what} has lost its file, and nothing was removed`);
      this.count('exports removed');
      return;
    }
    const rows = file
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
    const ids = rows.map(({ id }) => id);
    this.compare(what, ids, remained);
    const late = rows.filter(({ values }) => values.number > last);
    this.expect(late.length === 0, `${what} has what was sent after it was asked for`);
    const seen = new Set(ids);
    for (const { id } of gone) this.expect(!seen.has(id), `${what} has ${id}, which was removed`);
    this.count('exported by jobs');
  }

  /** Reads the file of an export in parts, each as often as is needed; null when there is none. */
  private async fileOf({ id, export: made }: Job): Promise<string | null> {
    const size = made?.file?.size;
    if (size === undefined) return null;
    let whole = '';
    const length = Math.ceil(size / FILE_PARTS);
    for (let from = 0; from < size; from += length) {
      const part = await this.insist(async () => {
        const { status, text } = await this.owner
          .get(`/api/v1/jobs/${id}/file`)
          .set('Range', `bytes=${from}-${Math.min(from + length, size) - 1}`)
          .buffer(true);
        if (status >= 500) throw new Error(`the file of ${id}: ${status}`);
        return status === 206 ? text : null;
      });
      if (part === null) return null;
      whole += part;
    }
    this.expect(whole.length === size, `the file of ${id} has ${whole.length} bytes of ${size}`);
    return whole;
  }

  /** Tries until there is an answer: the service is killed, and comes back. */
  private async insist<T>(act: () => Promise<T>): Promise<T> {
    const end = performance.now() + INSIST_MS;
    for (;;) {
      try {
        return await act();
      } catch (error) {
        if (performance.now() > end) throw error;
        await pause(AWAY_MS);
      }
    }
  }

  private async export(format: 'ndjson' | 'csv'): Promise<void> {
    const form = this.dice.pick(this.forms) ?? '';
    const { stood } = this.model.watch(form, 'inbox');
    const text = await this.owner.download(`${listOf(form)}.${format}?trash=all`);
    const ids = text.match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? [];
    this.compare(`an export of ${form} as ${format}`, [...new Set(ids)], stood());
    this.count('exported');
  }

  /** Creates and deletes a form: afterwards nothing of it is shown, and it takes nothing. */
  private async comeAndGo(): Promise<void> {
    const settings = { name: 'For a moment', notify_owner_on_submission: false };
    const { identifier } = await this.owner.create('/api/v1/forms', { form: settings });
    const submit = (a: string) => this.visitor.post(`/f/${identifier}`, { a });
    for (let sent = 0; sent < 5; sent++) await submit(`${sent}`);
    if (!(await this.send('delete', `/api/v1/forms/${identifier}`))) return;
    const list = await this.owner.get(listOf(identifier));
    const sent = await submit('late');
    if (sent.status < 500 && list.status < 500) {
      this.expect(list.status === 404, `a deleted form is listed: ${list.status}`);
      this.expect(sent.status === 404, `a deleted form takes submissions: ${sent.status}`);
    }
    this.count('came and went');
  }

  private compare(what: string, ids: string[], expected: Entry[]): void {
    const seen = new Set(ids);
    this.expect(seen.size === ids.length, `${what} shows a submission twice`);
    const missed = expected.filter(({ id }) => !seen.has(id));
    this.expect(missed.length === 0, `${what} misses ${missed.map(({ id }) => id).join(', ')}`);
  }

  /** Follows the links of a list to its end. */
  private async follow(path: string): Promise<{ rows: Row[]; count: number }> {
    const rows: Row[] = [];
    let count = 0;
    for (let next: string | null = path; next !== null;) {
      const page: Schemas['SubmissionListDto'] = await this.owner.read(next);
      rows.push(...(page.submissions as Row[]));
      count = page.count;
      next = page.next_page?.replace(/^https?:\/\/[^/]+/, '') ?? null;
    }
    return { rows, count };
  }

  private somebody(): string {
    const people = this.people().filter((email) => !this.model.retired.has(email));
    return this.dice.pick(people) ?? 'somebody@example.com';
  }

  /** Returns the addresses in use; new ones replace erased ones. */
  private people(): string[] {
    const generation = this.model.retired.size;
    return Array.from({ length: PEOPLE }, (_, n) => [
      `person-${n}-${generation}@example.com`,
      `person-${n}-0@example.com`,
    ]).flat();
  }

  private entriesOf(form: string): Entry[] {
    return [...this.model.entries.values()].filter((entry) => entry.form === form);
  }

  private expect(isSo: boolean, otherwise: string): void {
    if (!isSo) this.violations.push(otherwise);
  }

  private count(what: string): void {
    this.done[what] = (this.done[what] ?? 0) + 1;
  }

  /** @returns whether it was done; false when it was refused. @throws when that is not known */
  private async send(method: Method, path: string, body?: object): Promise<boolean> {
    const { status } = await this.owner.send(method, path, body);
    if (status >= 500) throw new Error(`${method} ${path}: ${status}`);
    return status < 300;
  }
}

const listOf = (form: string) => `/api/v1/forms/${form}/submissions`;

const MOVES: readonly { from: Place; to: Place; marks: object }[] = [
  { from: 'inbox', to: 'trash', marks: { trash: true } },
  { from: 'inbox', to: 'spam', marks: { spam: true } },
  { from: 'trash', to: 'inbox', marks: { trash: false } },
  { from: 'trash', to: 'inbox', marks: { trash: false } },
  { from: 'spam', to: 'inbox', marks: { spam: false } },
  { from: 'spam', to: 'spam-trash', marks: { trash: true } },
  { from: 'spam-trash', to: 'trash', marks: { spam: false } },
];

function placeOf(row: Row | undefined): Place {
  if (!row) return 'gone';
  if (row.trash) return row.spam ? 'spam-trash' : 'trash';
  return row.spam ? 'spam' : 'inbox';
}
