import { Injectable } from '@nestjs/common';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { CALLS } from '../../deliveries/model/outcome.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { FilesService } from '../../submissions/files/files.service.js';
import { FormQueries, type FormSummary } from '../../forms/form-queries.service.js';
import { formatUuid, makeUuid, inSlices } from '../../platform/index.js';
import { keyOf } from '../../submissions/rows/submission-ids.js';
import { NotesService } from '../../triage/notes/notes.service.js';
import { PossibleForms } from '../finder/selection.js';
import { EVERYTHING } from '../../submissions/filter/submission-filter.js';
import { VisitorNotFound } from '../../submissions/model/submission.errors.js';
import { visitorLookup } from '../../submissions/model/submitted-values.js';
import { ValueIndex } from '../values/value-index.js';
import { ValuesService } from '../values/values.service.js';

/** Submissions whose files, deliveries and notes are counted by one statement each. */
const COUNTED_AT_ONCE = 200;

/** Data under a visitor's address in the forms of a scope. */
export interface VisitorTraces {
  /** The forms that have some, in the order of their lists. */
  forms: { form: FormSummary; submissions: number }[];
  submissions: number;
  files: number;
  fileBytes: number;
  /** Mails and webhook calls in the history of deliveries. */
  mails: number;
  webhookCalls: number;
  notes: number;
}

/** Finds and erases all that a visitor sent under an email address, over all forms of a scope. */
@Injectable()
export class VisitorsService {
  constructor(
    private readonly lists: FormQueries,
    private readonly possible: PossibleForms,
    private readonly values: ValueIndex,
    private readonly files: FilesService,
    private readonly deliveries: DeliveriesService,
    private readonly notes: NotesService,
    private readonly byValue: ValuesService,
  ) {}

  /** Counts what is stored under the address; spam and trash too. */
  async traces(principal: Principal, address: string): Promise<VisitorTraces> {
    const traces: VisitorTraces = {
      ...{ forms: [], submissions: 0, files: 0, fileBytes: 0 },
      ...{ mails: 0, webhookCalls: 0, notes: 0 },
    };
    for (const form of await this.candidates(principal, address)) {
      const ids = await this.idsOf(form.id, address);
      if (ids.length === 0) continue;
      traces.forms.push({ form, submissions: ids.length });
      traces.submissions += ids.length;
      for (const some of inSlices(ids, COUNTED_AT_ONCE)) {
        await this.add(principal, traces, some);
      }
    }
    return traces;
  }

  /** @throws VisitorNotFound when nothing is stored under the address */
  async get(principal: Principal, address: string): Promise<VisitorTraces> {
    const traces = await this.traces(principal, address);
    if (traces.submissions === 0) throw new VisitorNotFound();
    return traces;
  }

  /**
   * Erases what is stored under the address. The entries of the audit log about it share a receipt, which
   * stands for the address that they do not name.
   * @returns what there was; null for the receipt when that was nothing
   */
  async erase(principal: Principal, address: string): Promise<{ receipt: string | null; traces: VisitorTraces }> {
    const traces = await this.traces(principal, address);
    if (traces.submissions === 0) return { receipt: null, traces };
    const receipt = formatUuid(makeUuid());
    const lookup = visitorLookup(address);
    for (const { form } of traces.forms) {
      await this.byValue.eraseFound(principal, form, lookup, { receipt });
    }
    return { receipt, traces };
  }

  /** Finds the forms that can have something under the address, in the order of their lists. */
  private async candidates(principal: Principal, address: string) {
    const filter = { ...EVERYTHING, values: [visitorLookup(address)] };
    const few = await this.lists.few(principal);
    if (few === null) {
      const narrowed = await this.possible.in(principal, filter);
      return narrowed ?? this.lists.list(principal, null);
    }
    const left = await this.possible.among(
      few.map(({ id }) => id),
      filter,
    );
    return few.filter(({ id }) => left.includes(id));
  }

  private async idsOf(formId: number, address: string) {
    const found = new Map<string, Buffer>();
    for await (const { id } of this.values.find(formId, visitorLookup(address))) {
      found.set(keyOf(id), id);
    }
    return [...found.values()];
  }

  private async add(scope: Scope, traces: VisitorTraces, ids: Buffer[]) {
    for (const { size } of await this.files.listFor(ids)) {
      traces.files++;
      traces.fileBytes += size;
    }
    for (const [kind, count] of await this.deliveries.countByKind(scope, ids)) {
      if (CALLS.includes(kind)) traces.webhookCalls += count;
      else traces.mails += count;
    }
    traces.notes += await this.notes.count(ids);
  }
}
