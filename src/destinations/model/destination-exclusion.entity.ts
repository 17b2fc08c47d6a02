import { Entity, Index, PrimaryColumn } from 'typeorm';

/** Stores that a form sends nothing to a destination of a client or of the account. */
@Entity('destination_exclusions')
@Index('ix_destination_exclusions_destination', ['destinationId'])
export class DestinationExclusion {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  @PrimaryColumn('binary', { name: 'destination_id', length: 16 })
  destinationId: Buffer;
}
