import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { UuidKey } from '../../platform/database/columns.js';

const ID_BYTES = 16;

/** Names the submissions that one transaction of an import has stored, so that they can be removed together. */
@Entity('import_portions')
@Index('ix_import_portions_form', ['formId'])
export class ImportPortion {
  @UuidKey('import_id')
  importId: Buffer;

  /** Rows of the file that were gone through after it. */
  @PrimaryColumn('int', { name: 'position' })
  position: number;

  @Column('int', { name: 'form_id' })
  formId: number;

  /** Ids of the submissions, 16 bytes each. */
  @Column('blob', { name: 'submission_ids' })
  private joinedIds: Buffer;

  static of(
    { id: importId, formId, position }: { id: Buffer; formId: number; position: number },
    ids: readonly Buffer[],
  ): ImportPortion {
    return Object.assign(new ImportPortion(), {
      ...{ importId, formId, position },
      joinedIds: Buffer.concat(ids),
    });
  }

  get ids(): Buffer[] {
    const { joinedIds: all } = this;
    return Array.from({ length: all.length / ID_BYTES }, (_, at) =>
      all.subarray(at * ID_BYTES, (at + 1) * ID_BYTES),
    );
  }
}
