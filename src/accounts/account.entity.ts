import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { Time } from '../platform/database/index.js';

/** The part of an account that its owner can change. */
export interface AccountDetails {
  name: string;
  email: string | null;
}

/** Owns forms, clients and tokens. */
@Entity('accounts')
export class Account implements AccountDetails {
  @PrimaryGeneratedColumn() id: number;
  @Column('varchar', { length: 255 }) name: string;
  /** Where owner notifications go when a form names nobody; null when unset. */
  @Column('varchar', { length: 255, nullable: true }) email: string | null;
  @Time() createdAt: Date;

  static create(name: string, email: string | null, now: Date): Account {
    return Object.assign(new Account(), { name, email, createdAt: now });
  }
}
