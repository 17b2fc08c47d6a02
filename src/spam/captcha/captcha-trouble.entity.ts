import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Time } from '../../platform/database/columns.js';

/** Remembers that a provider refused the keys of a form, for its warnings. */
@Entity('captcha_troubles')
export class CaptchaTrouble {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  /** The provider's word for it. */
  @Column('varchar', { name: 'code', length: 40 })
  code: string;

  @Time('last_at')
  lastAt: Date;
}
