import { Entity, Index, PrimaryColumn } from 'typeorm';

/** Lets one client see one form. */
@Entity('form_grants')
@Index('ix_form_grants_form', ['formId'])
export class FormGrant {
  @PrimaryColumn('int') clientId: number;
  @PrimaryColumn('int') formId: number;
}
