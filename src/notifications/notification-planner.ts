import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PlannedDelivery } from '../deliveries/model/delivery.entity.js';
import { UNTIL_RELEASED } from '../deliveries/model/until-released.js';
import type { Form } from '../forms/model/form.entity.js';
import { parseEmailAddress } from '../platform/kernel/text/email-address.js';
import { FormOwners } from './form-owners.js';

/** Names of fields that contain the visitor's own address by convention, in lower case. */
const ADDRESS_FIELDS = new Set(['email', '_replyto']);
/** Addresses of machines: answering them starts a loop or reaches nobody (RFC 3834, RFC 2142). */
const MACHINES = /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+.-].*)?@/i;

/** The values of a submission as text, in the order they came. */
export interface SentValues {
  toText(): { name: string; text: string }[];
}

/** Says what a form's settings promise for a submission. */
@Injectable()
export class NotificationPlanner {
  constructor(private readonly owners: FormOwners) {}

  /**
   * Plans what an accepted submission sets off: a mail to each owner, one to the visitor, a webhook call.
   * @param tx the transaction that asks, which takes no second connection
   */
  async plan(form: Form, values: SentValues, tx?: EntityManager): Promise<PlannedDelivery[]> {
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

/**
 * Withholds what a held submission sets off, but for the mails to its owners.
 * @param until when it is released by itself; null: when a person says so
 */
export function withheld(planned: readonly PlannedDelivery[], until: Date | null) {
  const withheldUntil = until ?? UNTIL_RELEASED;
  return planned.map((each) => (each.kind === 'owner_email' ? each : { ...each, withheldUntil }));
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
