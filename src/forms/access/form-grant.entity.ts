import { Entity, Index, PrimaryColumn } from 'typeorm';

/** Lets one client see one form. */
@Entity('form_grants')
@Index('ix_form_grants_form', ['formId'])
export class FormGrant {
  @PrimaryColumn('int', { name: 'client_id' })
  clientId: number;

  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;
}
