import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PlannedDelivery } from '../deliveries/model/delivery.entity.js';
import { UNTIL_RELEASED } from '../deliveries/model/until-released.js';
import type { Form } from '../forms/model/form.entity.js';
import { parseEmailAddress } from '../platform/kernel/text/email-address.js';
import type { Band } from '../spam/evidence/verdict.js';
import { FormOwners } from './form-owners.js';

/** Names of fields that contain the visitor's own address by convention, in lower case. */
const ADDRESS_FIELDS = new Set(['email', '_replyto']);
/** Addresses of machines: answering them starts a loop or reaches nobody (RFC 3834, RFC 2142). */
const MACHINES = /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+.-].*)?@/i;

/** The values of a submission as text, in the order they came. */
export interface SentValues {
  toText(): { name: string; text: string }[];
  /** Returns the same, but the values of a list one by one. */
  items(): { name: string; text: string }[];
}

/** A submission as a plan looks at it. */
export interface SentSubmission {
  id: Buffer;
  values: SentValues;
  referer: string | null;
  language: string | null;
  /** Absent once it is stored. */
  isNew?: { hasFiles: boolean };
}

/** The verdict on a submission. */
export interface Judged {
  band: Band;
  /** When it is released by itself, if it is held; null: when a person says so. */
  heldUntil: Date | null;
}

/**
 * Adds what a form causes besides its settings, and leaves out what was made already.
 * @param own what its settings cause
 */
export type FurtherPlan = (
  form: Form,
  sent: SentSubmission,
  band: Band,
  own: PlannedDelivery[],
  tx?: EntityManager,
) => Promise<PlannedDelivery[]>;

/** Says what a form promises for a submission. */
@Injectable()
export class NotificationPlanner {
  private further: FurtherPlan = (...[, , , own]) => Promise.resolve(own);

  constructor(private readonly owners: FormOwners) {}

  /** Registers who plans what a form causes besides its settings. */
  registerFurther(plan: FurtherPlan): void {
    this.further = plan;
  }

  /**
   * Plans what a submission sets off. Spam causes only what asks for spam; of what a held one causes, all but the
   * mails to its owners is withheld, unless it asks for what is held.
   * @param tx the transaction that asks, which takes no second connection
   */
  async plan(
    form: Form,
    sent: SentSubmission,
    { band, heldUntil }: Judged,
    tx?: EntityManager,
  ): Promise<PlannedDelivery[]> {
    const own = band === 'spam' ? [] : await this.ofSettings(form, sent.values, tx);
    const planned = await this.further(form, sent, band, own, tx);
    if (band !== 'held') return planned;
    const withheldUntil = heldUntil ?? UNTIL_RELEASED;
    return planned.map((each) =>
      isToOwner(each) || each.isAskedFor ? each : { ...each, withheldUntil },
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
    const visitor = form.notifySubmitter === true ? addressOfVisitor(values) : null;
    if (visitor !== null && !MACHINES.test(visitor)) {
      planned.push({ kind: 'submitter_email', recipient: visitor });
    }
    if (form.webhookUrl !== null) planned.push({ kind: 'webhook', recipient: form.webhookUrl });
    return planned;
  }
}

/** Tells whether it is a mail to the owners that the settings of a form name, who look at what is held. */
function isToOwner({ kind, destinationId }: PlannedDelivery): boolean {
  return kind === 'owner_email' && !destinationId;
}

/** Returns the visitor's address: from a field named for it, else from the only field with an address. */
export function addressOfVisitor(values: SentValues): string | null {
  const found = new Map<string, string>();
  for (const { name, text } of values.toText()) {
    const address = parseEmailAddress(text);
    if (address === null) continue;
    if (ADDRESS_FIELDS.has(name.toLowerCase())) return address;
    found.set(name, address);
  }
  const [only] = found.values();
  return found.size === 1 && only !== undefined ? only : null;
}
