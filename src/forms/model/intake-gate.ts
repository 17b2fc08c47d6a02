import type { Form } from './form.entity.js';
import { FormClosed, FormFull, FormPaused, type FormShut } from './form.errors.js';

/** Times when a form takes submissions, and how many. */
export interface Opening {
  paused: boolean;
  /** Sentence for visitors while it is closed; null for ours. */
  message: string | null;
  /** When it closes; null for never. */
  closesAt: Date | null;
  /** Submissions that it takes in all; null for any number. */
  maxSubmissions: number | null;
  /** Whether what a sender sends twice within seconds stands with the first, and is told once. */
  mergesRepeats: boolean;
}

/** The opening of a form that never closes. */
export const ALWAYS_OPEN: Opening = {
  paused: false,
  message: null,
  closesAt: null,
  maxSubmissions: null,
  mergesRepeats: true,
};

/** Tells whether a form takes submissions now, and why not. */
export class IntakeGate {
  static readonly OPEN = new IntakeGate(ALWAYS_OPEN);

  constructor(readonly opening: Opening) {}

  /** Reads what `encode` wrote. */
  static decode(text: string | null): IntakeGate {
    if (text === null) return IntakeGate.OPEN;
    const { closesAt, ...others } = JSON.parse(text) as Opening & { closesAt: string | null };
    return new IntakeGate({
      ...ALWAYS_OPEN,
      ...others,
      closesAt: closesAt === null ? null : new Date(closesAt),
    });
  }

  /** Returns the text that is stored: JSON; null for a form that never closes and has nothing to say. */
  encode(): string | null {
    const text = JSON.stringify(this.opening);
    return text === JSON.stringify(ALWAYS_OPEN) ? null : text;
  }

  /** Returns why a form takes no submissions at a moment, as its visitors read it; null if it takes them. */
  closedFor({ submissionCount }: Pick<Form, 'submissionCount'>, now: Date): FormShut | null {
    const { paused, message, closesAt, maxSubmissions } = this.opening;
    if (paused) return new FormPaused(message);
    if (closesAt !== null && closesAt <= now) return new FormClosed(message);
    if (maxSubmissions !== null && submissionCount >= maxSubmissions) return this.full();
    return null;
  }

  /** Returns the error of a submission that is one too many. */
  full(): FormShut {
    return new FormFull(this.opening.message);
  }
}
