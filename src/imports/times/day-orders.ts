import type { DayOrder } from '../model/import-options.js';
import { orderIn } from './moments.js';

/** Gathers what the dates of a file say of the order of day and month. */
export class DayOrders {
  /** A date that proves each order; null where none does. */
  readonly proofs: Record<DayOrder, string | null> = { day_first: null, month_first: null };
  /** A date that can be read in two ways; null where none was seen. */
  either: string | null = null;

  /** @param chosen the order that somebody said; null for none */
  constructor(private readonly chosen: DayOrder | null) {}

  /** Returns the order that dates are read in which say none themselves; null where nothing proves one, or both. */
  get order(): DayOrder | null {
    const { day_first: day, month_first: month } = this.proofs;
    if (this.chosen !== null) return this.chosen;
    if (this.areBoth || (day === null && month === null)) return null;
    return day === null ? 'month_first' : 'day_first';
  }

  /** Tells whether somebody said the order. */
  get isChosen(): boolean {
    return this.chosen !== null;
  }

  /** Tells whether dates prove both orders. */
  get areBoth(): boolean {
    return this.proofs.day_first !== null && this.proofs.month_first !== null;
  }

  /** Takes a time of the file into account. */
  see(time: string): void {
    const order = orderIn(time);
    if (order === 'either') this.either ??= time;
    else if (order !== null) this.proofs[order] ??= time;
  }
}
