import { GoesWith } from '../../platform/database/index.js';
import { createHash } from 'node:crypto';
import { Column, Entity, PrimaryColumn } from 'typeorm';

const DIGEST_BYTES = 8;

/** The lists of a form: entries in their normal form, one a line. */
export interface ListTexts {
  block: string;
  allow: string;
}

/** Holds what a form blocks and allows, with a digest that tells whether a copy is still good. */
@Entity('spam_lists')
@GoesWith<SpamList>('formId')
export class SpamList {
  @PrimaryColumn('int') formId: number;
  @Column('mediumtext') blocked: string;
  @Column('mediumtext') allowed: string;
  @Column('binary', { length: DIGEST_BYTES }) digest: Buffer;

  static of(formId: number, { block, allow }: ListTexts): SpamList {
    const hash = createHash('sha256').update(`${block}\n\n${allow}`).digest();
    const digest = hash.subarray(0, DIGEST_BYTES);
    return Object.assign(new SpamList(), { formId, blocked: block, allowed: allow, digest });
  }
}
