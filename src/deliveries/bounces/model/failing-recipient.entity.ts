import { hash } from 'node:crypto';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { GoesWith, Time, Uuid } from '../../../platform/database/index.js';
import { TO_STRANGERS } from '../../model/outcome.js';
import type { DeliveryKind } from '../../model/delivery.entity.js';

/** Stores that an address takes no mails of an account, and why. */
@Entity('failing_recipients')
@GoesWith<FailingRecipient>('submissionId', 'formId')
@Index('ix_failing_recipients_form', ['formId'])
@Index('ix_failing_recipients_submission', ['submissionId'])
export class FailingRecipient {
  @PrimaryColumn('int') accountId: number;
  /** SHA-256 of the address in lower case, its tag included. */
  @PrimaryColumn('binary', { length: 32 }) emailHash: Buffer;
  @Column('varchar', { length: 255 }) email: string;
  /** The delivery that came back, and its form. */
  @Uuid() deliveryId: Buffer;
  @Column('int') formId: number;
  /** The submission with the address; null when it is not that of a visitor. */
  @Uuid({ nullable: true }) submissionId: Buffer | null;
  @Column('varchar', { length: 10 }) kind: 'permanent' | 'complaint';
  /** The words of the receiver. */
  @Column('text') reason: string;
  @Time() since: Date;

  static hashOf(email: string): Buffer {
    return hash('sha256', email.toLowerCase(), 'buffer');
  }

  /** Tells whether mails of a kind are not sent: a complaint is about those to visitors. */
  stops(kind: DeliveryKind) {
    return this.kind === 'permanent' || TO_STRANGERS.includes(kind);
  }
}
