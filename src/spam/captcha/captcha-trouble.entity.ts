import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Time } from '../../platform/database/index.js';

/** Remembers that a provider refused the keys of a form, for its warnings. */
@Entity('captcha_troubles')
export class CaptchaTrouble {
  @PrimaryColumn('int') formId: number;
  /** The provider's word for it. */
  @Column('varchar', { length: 40 }) code: string;
  @Time() lastAt: Date;
}
