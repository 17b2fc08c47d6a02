import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const TABLE = 'audit_entries';
const INDEXES = {
  ix_audit_entries_action: ['account_id', 'action', 'id'],
  ix_audit_entries_actor_kind: ['account_id', 'actor_kind', 'id'],
  ix_audit_entries_actor: ['account_id', 'actor_id', 'id'],
  ix_audit_entries_target_kind: ['account_id', 'target_kind', 'id'],
  ix_audit_entries_target: ['account_id', 'target_id', 'id'],
};

/** Lets a rare action, actor or target be found in a long log without reading all of it. */
export class IndexAuditFilters1766462100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, columnNames] of Object.entries(INDEXES)) {
      // An interrupted run may have made it: servers commit each statement that changes one.
      await runner.dropIndex(TABLE, name, true);
      await runner.createIndex(TABLE, new TableIndex({ name, columnNames }));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.dropIndex(TABLE, name, true);
  }
}
