import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { hook, Hooks } from '../platform/hooks/hooks.js';
import { OptIns } from '../deliveries/holds/holds.service.js';
import type { PlannedDelivery } from '../deliveries/model/delivery.entity.js';
import { UNTIL_RELEASED } from '../deliveries/model/outcome.js';
import type { Form } from '../forms/model/form.entity.js';
import type { PatternMatcher } from '../forms/model/field-rules.js';
import { decodeVisitorMail } from '../forms/model/visitor-mail.js';
import type { Band } from '../spam/evidence/verdict.js';
import { RecipientsService } from './recipients.service.js';

/** Addresses of machines: answering them starts a loop or reaches nobody (RFC 3834, RFC 2142). */
const MACHINES = /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+.-].*)?@/i;

/** The values of a submission. */
export interface SentValues {
  /** Returns all as text in the order they came, those of a list one by one. */
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
  band: Band;
  /** When it is released by itself, if it is held; null: when a person says so. */
  heldUntil: Date | null;
  /** Whether nothing was filled in, so that no owner is told before it is released. */
  isBlank?: boolean;
}

/**
 * Adds what a form causes besides its settings, and leaves out what was made already.
 * @param own what its settings cause
 */
export const FurtherPlan =
  hook<
    (
      form: Form,
      sent: SentSubmission,
      band: Band,
      own: PlannedDelivery[],
      tx?: EntityManager,
    ) => Promise<PlannedDelivery[]>
  >();

/** Says what a form promises for a submission. */
@Injectable()
export class NotificationPlanner {
  constructor(
    private readonly owners: RecipientsService,
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
    const own = band === 'spam' ? [] : await this.ofSettings(form, sent.values, tx);
    const planned = await this.hooks.ask(FurtherPlan, form, sent, band, own, tx);
    const hold = band === 'held' ? { withheldUntil: heldUntil ?? UNTIL_RELEASED } : null;
    const waits = band === 'spam' ? null : await this.waitsFor(form, sent, tx);
    if (waits) {
      const withheld = planned.map((each) => ({ ...each, withheldUntil: UNTIL_RELEASED }));
      const { asked } = waits;
      return asked === null
        ? withheld
        : [...withheld, { kind: 'opt_in', recipient: asked, ...hold }];
    }
    if (!hold) return planned;
    return planned.map((each) =>
      (isToOwner(each) && !isBlank) || each.isAskedFor ? each : { ...each, ...hold },
    );
  }

  /** Plans what the settings of a form promise: a mail to each owner, one to the visitor, a webhook call. */
  async ofSettings(form: Form, values: SentValues, tx?: EntityManager): Promise<PlannedDelivery[]> {
    const planned: PlannedDelivery[] = [];
    if (form.notifyOwnerOnSubmission) {
      for (const recipient of await this.owners.of(form, tx)) {
        planned.push({ kind: 'owner_email', recipient });
      }
    }
    const visitor = form.notifySubmitter === true ? answerableVisitor(values) : null;
    if (visitor !== null) {
      planned.push({ kind: 'submitter_email', recipient: visitor });
    }
    if (form.webhookUrl !== null) planned.push({ kind: 'webhook', recipient: form.webhookUrl });
    return planned;
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
export function visitorToAsk(form: Pick<Form, 'visitorMail'>, values: SentValues): string | null {
  return decodeVisitorMail(form.visitorMail).doubleOptIn ? answerableVisitor(values) : null;
}

/** Returns the visitor's address, unless it is that of a machine. */
function answerableVisitor(values: SentValues): string | null {
  const visitor = values.visitor();
  return visitor !== null && MACHINES.test(visitor) ? null : visitor;
}

/** Tells whether it is a mail to the owners that the settings of a form name, who look at what is held. */
function isToOwner({ kind, destinationId }: PlannedDelivery): boolean {
  return kind === 'owner_email' && !destinationId;
}
