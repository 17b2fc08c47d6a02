import { Column, Entity, Index } from 'typeorm';
import { Time, UuidKey } from '../../platform/database/columns.js';
import type { OptInState } from './opt-in-states.js';

/** Stores that the visitor of a submission is asked to confirm it. What nobody was asked about has no row. */
@Entity('opt_ins')
@Index('ix_opt_ins_form', ['formId', 'state', 'submissionId'])
export class OptIn {
  @UuidKey('submission_id')
  submissionId: Buffer;

  @Column('int', { name: 'form_id' })
  formId: number;

  @Column('varchar', { name: 'state', length: 10 })
  state: OptInState;

  /** The address that is asked. */
  @Column('varchar', { name: 'email', length: 255 })
  email: string;

  @Time('asked_at')
  askedAt: Date;

  @Time('confirmed_at', { nullable: true })
  confirmedAt: Date | null;

  /** Whether somebody else than the visitor ended the wait. */
  @Column('boolean', { name: 'by_hand' })
  byHand: boolean;
}
