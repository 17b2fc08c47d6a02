import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { decodeVisitorMail } from '../forms/model/visitor-mail.js';
import type { Form } from '../forms/model/form.entity.js';
import type { PatternMatcher } from '../forms/model/field.js';
import { hook, Hooks } from '../platform/index.js';
import { OptIns } from './holds/holds.service.js';
import type { PlannedDelivery } from './model/delivery.entity.js';
import { UNTIL_RELEASED } from './model/outcome.js';

/** Addresses of machines: answering them starts a loop or reaches nobody (RFC 3834, RFC 2142). */
const MACHINES = /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+.-].*)?@/i;

/** The values of a submission. */
export interface SentValues {
  /** Returns all as text in the order they came, a list's values one by one. */
  items(): { name: string; text: string }[];
  /** Returns the visitor's address; null for none. */
  visitor(): string | null;
}

/** A submission as a plan looks at it. */
export interface SentSubmission {
  id: Buffer;
  values: SentValues;
  referer: string | null;
  language: string | null;
  /** Absent once it is stored. */
  isNew?: { hasFiles: boolean; matcher: PatternMatcher };
}

/** The verdict on a submission. */
export interface Judged {
  band: 'clean' | 'held' | 'spam';
  /** When it is released by itself, if it is held; null: when a person says so. */
  heldUntil: Date | null;
  /** Whether nothing was filled in, so that no owner is told before it is released. */
  isBlank?: boolean;
}

/** Asks what a submission causes, without what it has caused before. */
export const Caused =
  hook<(form: Form, sent: SentSubmission, band: Judged['band'], tx?: EntityManager) => Promise<PlannedDelivery[]>>();

/** Plans the deliveries of submissions. */
@Injectable()
export class DeliveryPlanner {
  constructor(
    private readonly optIns: OptIns,
    private readonly hooks: Hooks,
  ) {}

  /**
   * Plans what a submission sets off. Spam causes only what asks for spam; of what a held one causes, all but the
   * mails to its owners is withheld, unless it asks for what is held. Where its visitor is to confirm it first, all is
   * withheld but for the mail that asks.
   * @param tx the transaction that asks, which takes no second connection
   */
  async plan(
    form: Form,
    sent: SentSubmission,
    { band, heldUntil, isBlank = false }: Judged,
    tx?: EntityManager,
  ): Promise<PlannedDelivery[]> {
    const planned = await this.hooks.ask(Caused, form, sent, band, tx);
    const hold = band === 'held' ? { withheldUntil: heldUntil ?? UNTIL_RELEASED } : null;
    const waits = band === 'spam' ? null : await this.waitsFor(form, sent, tx);
    if (waits) {
      const withheld = planned.map((each) => ({ ...each, withheldUntil: UNTIL_RELEASED }));
      const { asked } = waits;
      return asked === null ? withheld : [...withheld, { kind: 'opt_in', recipient: asked, ...hold }];
    }
    if (!hold) return planned;
    return planned.map((each) => ((each.tellsOfHeld && !isBlank) || each.isAskedFor ? each : { ...each, ...hold }));
  }

  /**
   * Tells whether a submission waits for its visitor, and whom to ask now: nobody once somebody was asked. One without an
   * address that can answer does not wait.
   */
  private async waitsFor(
    form: Form,
    { id, values, isNew }: SentSubmission,
    tx?: EntityManager,
  ): Promise<{ asked: string | null } | null> {
    const known = isNew ? null : await this.optIns.find(id, tx);
    if (known) return known.state === 'waiting' ? { asked: null } : null;
    const asked = visitorToAsk(form, values);
    return asked === null ? null : { asked };
  }
}

/** Returns whom a form asks to confirm a submission; null where nobody is asked. */
export function visitorToAsk(form: Pick<Form, 'visitorMail' | 'fields'>, values: SentValues): string | null {
  return decodeVisitorMail(form.visitorMail).doubleOptIn ? answerableVisitor(form, values) : null;
}

/** Returns the visitor's address, unless it is that of a machine, or one that the form offers to choose. */
export function answerableVisitor(form: Pick<Form, 'fields'>, values: SentValues): string | null {
  const visitor = values.visitor();
  return visitor !== null && (MACHINES.test(visitor) || form.fields.offers(visitor)) ? null : visitor;
}
