import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** What an owner can change of an account. */
export interface AccountDetails {
  name: string;
  email: string | null;
}

/** Whoever runs forms here; owns forms, clients and tokens. */
@Entity('accounts')
export class Account implements AccountDetails {
  @PrimaryGeneratedColumn()
  id: number;

  @Column('varchar', { name: 'name', length: 255 })
  name: string;

  /** Where owner notifications go when a form names nobody; null when unset. */
  @Column('varchar', { name: 'email', length: 255, nullable: true })
  email: string | null;

  @Column('datetime', { name: 'created_at', precision: 3 })
  createdAt: Date;

  static create(name: string, email: string | null, now: Date): Account {
    return Object.assign(new Account(), { name, email, createdAt: now });
  }
}
