import { SingleFlight } from '../platform/kernel/single-flight.js';
import type { Form } from './form.entity.js';
import { FormNotFound } from './form.errors.js';

/** How long a copy is served; a change made by another instance is seen after at most this. */
const TTL_MS = 1_000;
const MAX_FORMS = 10_000;
const IDENTIFIER = /^[0-9a-f]{16}$/;

/** Copies of forms for the path of submissions, so that a busy form is not read for each of them. */
export class FormCache {
  private readonly entries = new Map<string, { form: Promise<Form>; until: number }>();
  private readonly reads = new SingleFlight<Form[]>();
  private wanted: string[] = [];

  /** @param read the forms there are of these identifiers */
  constructor(private readonly read: (identifiers: string[]) => Promise<Form[]>) {}

  /**
   * The form of an identifier, read at most once at a time.
   * @throws FormNotFound, without a query for what cannot be an identifier
   */
  get(identifier: string): Promise<Form> {
    const now = performance.now();
    const entry = this.entries.get(identifier);
    if (entry && entry.until > now) return entry.form;
    if (!IDENTIFIER.test(identifier)) return Promise.reject(new FormNotFound());
    if (this.entries.size >= MAX_FORMS) this.entries.clear();
    const form = this.readWithOthers(identifier);
    this.entries.set(identifier, { form, until: now + TTL_MS });
    form.catch(() => {
      if (this.entries.get(identifier)?.form === form) this.entries.delete(identifier);
    });
    return form;
  }

  forget(identifier: string): void {
    this.entries.delete(identifier);
  }

  /** Forms that are asked for in the same turn of the event loop share a query. */
  private async readWithOthers(identifier: string): Promise<Form> {
    this.wanted.push(identifier);
    const found = await this.reads.run('wanted', () => {
      const { wanted } = this;
      this.wanted = [];
      return this.read(wanted);
    });
    const form = found.find((one) => one.identifier === identifier);
    if (!form) throw new FormNotFound();
    return form;
  }
}
