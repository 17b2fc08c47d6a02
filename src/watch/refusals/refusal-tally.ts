/** The reason of refusals: the code of the error and the first field at fault; an empty field for none. */
interface Reason {
  code: string;
  field: string;
}

/** Refusals of a form within an hour of UTC for one reason. */
export interface Refused extends Reason {
  formId: number;
  /** Whole hours since 1970. */
  hour: number;
  amount: number;
}

/** Most forms with an hour that are kept; together with REASONS_MAX some 10 MB. */
export const FORM_HOURS_MAX = 5_000;
/** Most reasons of a form within an hour; the rest has the reason OTHER. */
export const REASONS_MAX = 20;
const OTHER: Reason = { code: 'other', field: '' };

/** Counts refusals in memory, by form, hour and reason. Forms beyond FORM_HOURS_MAX are not counted. */
export class RefusalTally {
  private readonly hours = new Map<string, Map<string, Refused>>();

  get isEmpty(): boolean {
    return this.hours.size === 0;
  }

  add({ formId, hour, code, field, amount }: Refused): void {
    const reasons = this.reasonsOf(`${formId} ${hour}`);
    if (!reasons) return;
    const reason =
      reasons.has(`${code} ${field}`) || reasons.size < REASONS_MAX ? { code, field } : OTHER;
    const key = `${reason.code} ${reason.field}`;
    const known = reasons.get(key);
    if (known) known.amount += amount;
    else reasons.set(key, { formId, hour, ...reason, amount });
  }

  /** Returns all counts, and forgets them. */
  take(): Refused[] {
    const all = [...this.hours.values()].flatMap((reasons) => [...reasons.values()]);
    this.hours.clear();
    return all;
  }

  private reasonsOf(key: string): Map<string, Refused> | undefined {
    const known = this.hours.get(key);
    if (known || this.hours.size >= FORM_HOURS_MAX) return known;
    const reasons = new Map<string, Refused>();
    this.hours.set(key, reasons);
    return reasons;
  }
}
