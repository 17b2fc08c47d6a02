import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The part of a client that its account can change. */
export interface ClientDetails {
  name: string;
  email: string;
  canCreateForms: boolean;
}

/** Stores a person for whom an account runs forms, and who sees granted forms through tokens. */
@Entity('clients')
@Index('ix_clients_account', ['accountId', 'id'])
@Index('uq_clients_email', ['accountId', 'emailKey'], { unique: true })
export class Client implements ClientDetails {
  @PrimaryGeneratedColumn() id: number;
  @Column('int') accountId: number;
  @Column('varchar', { length: 255 }) name: string;
  @Column('varchar', { length: 255 }) email: string;
  /** The address in lower case, which is unique within the account. */
  @Column('varchar', { length: 255 }) private emailKey: string;
  @Column('boolean') canCreateForms: boolean;

  static create(accountId: number, details: ClientDetails): Client {
    const client = Object.assign(new Client(), { accountId });
    client.change(details);
    return client;
  }

  /** Applies the details that are given; the others stay. @returns the settings that changed, as the API spells them */
  change(details: Partial<ClientDetails>): string[] {
    const { name, email, canCreateForms } = this;
    Object.assign(this, details);
    this.emailKey = this.email.toLowerCase();
    return [
      ...(name === this.name ? [] : ['name']),
      ...(email === this.email ? [] : ['email']),
      ...(canCreateForms === this.canCreateForms ? [] : ['can_create_forms']),
    ];
  }
}
