import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Stores the key that signs links. It is made once and shared by all instances on the database. */
@Entity('signing_keys')
export class SigningKey {
  @PrimaryColumn('int') id: number;
  @Column('binary', { length: 32 }) secret: Buffer;
}
