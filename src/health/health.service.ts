import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Principal, Scope } from '../accounts/access/index.js';
import { Recorded } from '../accounts/audit/audit.service.js';
import { FormQueries, type FormSummary } from '../forms/form-queries.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { UnitOfWork } from '../platform/database/index.js';
import { Hooks } from '../platform/index.js';
import { Projected, type Projection } from '../forms/projections.js';
import {
  aForm,
  ChecksAccount,
  ChecksForms,
  concerns,
  FINDING_CODES,
  isTold,
  type Finding,
  type FindingCode,
  type Subject,
} from './finding.js';
import { FindingRow } from './finding.entity.js';
import { FindingsRepository } from './findings.repository.js';

/** A cause of findings, as the sentence above every page names it. */
export interface Cause {
  code: string;
  /** Number of forms that have it of their own; 0 where it concerns all alike. */
  forms: number;
}

/** A finding, and the form that it is about; null for the whole account. */
export interface Told {
  finding: FindingRow;
  form: FormSummary | null;
}

/** Forms of an account that are looked at when somebody asks, oldest first; the task looks at all. */
const FORMS_MAX = 200;
/** Open findings of an account that are listed, and that the sentence above every page counts. */
const LISTED_MAX = 1_000;
const COUNTED_MAX = 200;
/** Age in milliseconds from which the findings of an account are renewed when somebody reads them. */
const FRESH_MS = 30_000;

/** Has the checks look at forms, keeps what they find, and tells it to whoever asks. */
@Injectable()
@Projected({ tables: ['findings', 'alarm_notices'] })
export class HealthService implements Projection, OnModuleDestroy {
  private readonly logger = new Logger(HealthService.name);
  /** When this process began to look at an account, on its own clock; nothing for one that was changed since. */
  private readonly lookedAt = new Map<number, number>();
  private readonly looks = new Map<number, Promise<void>>();

  constructor(
    private readonly rows: FindingsRepository,
    private readonly forms: FormQueries,
    private readonly unitOfWork: UnitOfWork,
    private readonly hooks: Hooks,
  ) {}

  /**
   * Looks at a form, and returns what is wrong with it and its account that concerns somebody.
   * @throws FormNotFound
   */
  async ofForm(principal: Principal, identifier: string): Promise<FindingRow[]> {
    const form = await this.forms.get(principal, identifier);
    if (!isTold(principal)) return [];
    await this.look([form]);
    const rows = await this.rows.about([aForm(form.id), anAccount(form.accountId)]);
    return shownTo(principal, rows, form);
  }

  /** Returns what is wrong that concerns somebody, in the same order. */
  async list(principal: Principal): Promise<Told[]> {
    if (!isTold(principal)) return [];
    const all = await this.listIn(principal);
    const concerning = all.filter(({ finding, form }) => concerns(principal, finding, form));
    return concerning.map(({ finding, form }) => ({ finding: finding.forReader(principal), form }));
  }

  /** Returns what is wrong in a scope: with the account, then with the forms that it sees, oldest first. */
  async listIn(scope: Scope): Promise<Told[]> {
    await this.renew(scope.accountId);
    const rows = await this.rows.open(scope.accountId, LISTED_MAX);
    const ids = rows.flatMap(({ kind, subjectId }) => (kind === 'form' ? [subjectId] : []));
    const forms = ids.length === 0 ? [] : await this.forms.among(scope, [...new Set(ids)]);
    const byId = new Map(forms.map((form) => [form.id, form]));
    return sorted(rows).flatMap((finding) => {
      const form = finding.kind === 'form' ? byId.get(finding.subjectId) : null;
      return form === undefined ? [] : [{ finding, form }];
    });
  }

  /** Returns what is wrong with each of these forms that concerns somebody, by the form. */
  async ofForms(principal: Principal, forms: readonly FormSummary[]): Promise<Map<number, FindingRow[]>> {
    if (!isTold(principal)) return new Map();
    await this.renew(principal.accountId);
    const rows = await this.rows.about(forms.map(({ id }) => aForm(id)));
    const ofEach = (id: number) => rows.filter(({ subjectId }) => subjectId === id);
    return new Map(forms.map((form) => [form.id, shownTo(principal, ofEach(form.id), form)] as const));
  }

  /** Returns the causes of what is wrong: first what concerns all forms, then what most have. */
  async causes(principal: Principal): Promise<Cause[]> {
    const isOfAccount = principal.clientId === null && isTold(principal);
    if (isOfAccount) await this.renew(principal.accountId);
    const rows = isOfAccount
      ? await this.rows.open(principal.accountId, COUNTED_MAX)
      : (await this.list(principal)).map(({ finding }) => finding);
    const forms = new Map<string, number>();
    for (const { code, kind } of rows) forms.set(code, (forms.get(code) ?? 0) + (kind === 'form' ? 1 : 0));
    const causes = [...forms].map(([code, count]) => ({ code, forms: count }));
    return causes.toSorted((a, b) => (a.forms && b.forms ? b.forms - a.forms : a.forms - b.forms));
  }

  /** Has the checks look at forms of one account, and keeps what they find. */
  async look(forms: readonly Form[]): Promise<void> {
    const [first] = forms;
    if (!first) return;
    const { accountId } = first;
    const account = anAccount(accountId);
    const found: Finding[] = [];
    for (const { run } of this.hooks.all(ChecksForms)) found.push(...(await run(forms)));
    for (const { run } of this.hooks.all(ChecksAccount)) {
      const finding = await run(accountId);
      if (finding) found.push({ subject: account, ...finding });
    }
    await this.keep(accountId, [account, ...forms.map(({ id }) => aForm(id))], found);
  }

  /**
   * Keeps what a look at the whole service has found, and has somebody told of what a second look finds too, and that it is over.
   * @param tell resolves to false when nobody could be told
   */
  async tellOfService(
    found: readonly Pick<Finding, 'code' | 'text'>[],
    now: Date,
    tell: (code: string, isOver: boolean) => Promise<boolean>,
  ) {
    const about = { subject: SERVICE, severity: 'urgent', fix: '' } as const;
    const findings = found.map((each) => ({ ...about, ...each }));
    await this.keep(0, [SERVICE], findings);
    const set = (row: FindingRow, to: Partial<FindingRow>) =>
      this.unitOfWork.run((tx) => this.rows.in(tx).claim(row, to));
    for (const row of await this.rows.untold('service')) {
      const news = row.news(now);
      const isOver = news === 'over';
      // The claim ends as what it is about becomes old: who could not tell, or was killed, leaves it to a later look.
      const claim = isOver ? { seenAt: now } : { foundAt: now };
      if (news === null || !(await set(row, claim)) || !(await tell(row.code, isOver))) continue;
      await set(Object.assign(row, claim), isOver ? { endedAt: now } : { toldAt: now });
    }
  }

  /** Keeps what a look at these subjects has found: all else about them is gone. @param accountId 0 for the service */
  private async keep(accountId: number, subjects: readonly Subject[], found: readonly Finding[]) {
    const now = this.unitOfWork.now();
    const missing = new Map(found.map((each) => [idOf(each), each]));
    const gone: FindingRow[] = [];
    const changed: [FindingRow, Partial<FindingRow>][] = [];
    for (const row of await this.rows.about(subjects)) {
      const finding = missing.get(idOf(row));
      missing.delete(idOf(row));
      const next = finding ? row.stand(finding, now) : row.pass(now);
      if (next === 'remove') gone.push(row);
      else if (next) changed.push([row, next]);
    }
    if (missing.size + gone.length + changed.length === 0) return;
    await this.unitOfWork.run(async (tx) => {
      const rows = this.rows.in(tx);
      for (const row of gone) await rows.remove(row);
      for (const [row, next] of changed) await rows.set(row, next);
      await rows.add([...missing.values()].map((each) => FindingRow.create(accountId, each, now)));
    });
  }

  async forgetForm(formId: number) {
    await this.unitOfWork.run((tx) => this.rows.in(tx).removeOf(formId));
  }

  /** Has an account looked at again after what somebody changed. */
  @Recorded()
  noteChange(accountId: number | null): void {
    if (accountId !== null) this.lookedAt.delete(accountId);
  }

  async onModuleDestroy() {
    await Promise.allSettled(this.looks.values());
  }

  /** Looks at an account whose findings are old: at once after a change, else in the background. */
  private async renew(accountId: number) {
    const at = this.lookedAt.get(accountId);
    const now = performance.now();
    if (at !== undefined && now - at < FRESH_MS) return;
    this.lookedAt.set(accountId, now);
    const before = this.looks.get(accountId) ?? Promise.resolve();
    const look = before
      .then(() => this.forms.firstInFull({ accountId, clientId: null }, FORMS_MAX))
      .then((forms) => this.look(forms))
      .catch((error: unknown) => {
        this.logger.warn('An account could not be looked at', { accountId, error });
      })
      .finally(() => {
        if (this.looks.get(accountId) === look) this.looks.delete(accountId);
      });
    this.looks.set(accountId, look);
    if (at === undefined) await look;
  }
}

const SERVICE: Subject = { kind: 'service', id: 0 };

function anAccount(id: number): Subject {
  return { kind: 'account', id };
}

function idOf({ subject: { kind, id }, code }: Pick<Finding, 'subject' | 'code'>) {
  return `${kind} ${id} ${code}`;
}

/** Returns the open findings about a form and its account that concern somebody. */
function shownTo(principal: Principal, rows: readonly FindingRow[], form: FormSummary | Form) {
  return sorted(rows.filter((row) => row.isOpen && concerns(principal, row, form))).map((row) =>
    row.forReader(principal),
  );
}

/** Puts findings about an account first, then those about forms, oldest forms first. */
function sorted(rows: readonly FindingRow[]) {
  const place = ({ code }: FindingRow) => FINDING_CODES.indexOf(code as FindingCode);
  return rows.toSorted(
    (one, other) => one.kind.localeCompare(other.kind) || one.subjectId - other.subjectId || place(one) - place(other),
  );
}
