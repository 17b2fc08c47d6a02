import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Remembers that a provider refused the keys of a form, for its warnings. */
@Entity('captcha_troubles')
export class CaptchaTrouble {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  /** The provider's word for it. */
  @Column('varchar', { name: 'code', length: 40 })
  code: string;

  @Column('datetime', { name: 'last_at', precision: 3 })
  lastAt: Date;
}
