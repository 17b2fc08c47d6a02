import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Time } from '../../platform/database/index.js';
import type { Form } from '../model/form.entity.js';
import { ALIAS_MAX, type Provider } from './old-address.js';

/**
 * Stores that an id of another provider leads to a form. A value leads to one form, whichever address it is sent to.
 * The row stays when its form goes or its owner removes it: pages may still send there, and nobody else is to get that.
 */
@Entity('form_aliases')
@Index('uq_form_aliases_value', ['value'], { unique: true })
@Index('ix_form_aliases_form', ['formId', 'id'])
export class FormAlias {
  @PrimaryGeneratedColumn() id: number;
  /** The account that may have it lead to a form. */
  @Column('int') accountId: number;
  /** Null when its owner removed it. */
  @Column('int', { nullable: true }) formId: number | null;
  @Column('varchar', { length: 16 }) provider: Provider;
  /** As `normaliseId` spells it. */
  @Column('varchar', { length: ALIAS_MAX }) value: string;
  @Time() createdAt: Date;
  /** When a submission last came by it; null for never. */
  @Time({ nullable: true }) lastUsedAt: Date | null;
  /** The page of that submission, or its origin where the browser said no more; null where it said nothing. */
  @Column('text', { nullable: true }) lastPage: string | null;

  /** Has it lead to a form from now on. */
  lead(form: Form, provider: Provider, value: string, now: Date): this {
    const { accountId, id: formId } = form;
    const unused = { lastUsedAt: null, lastPage: null };
    return Object.assign(this, { accountId, formId, provider, value, createdAt: now, ...unused });
  }
}
