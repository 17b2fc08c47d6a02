import { Injectable } from '@nestjs/common';
import { databaseTime, onConflictSql, TransactionalRepository } from '../../platform/database/index.js';
import { RunningInstance } from './running-instance.entity.js';
import './running-instance.entity.js';

/** Keeps which processes of the service run. */
@Injectable()
export class RunningInstancesRepository extends TransactionalRepository {
  /** Keeps that a process runs, for so many seconds. */
  async put({ id, name, folderId, keyId }: Omit<RunningInstance, 'aliveUntil'>, seconds: number) {
    const { manager } = this.source;
    const until = databaseTime(manager.dataSource, seconds);
    await manager.query(
      `INSERT INTO running_instances (id, name, folder_id, key_id, alive_until)
        VALUES (?, ?, ?, ?, ${until})
        ${onConflictSql(manager.dataSource, ['id'], `alive_until = ${until}`)}`,
      [id, name, folderId, keyId],
    );
  }

  /** Returns those that run, in the order of their names. */
  alive(): Promise<Pick<RunningInstance, 'name' | 'folderId' | 'keyId'>[]> {
    const { manager } = this.source;
    return manager.query(
      `SELECT name, folder_id AS folderId, key_id AS keyId FROM running_instances
        WHERE alive_until > ${databaseTime(manager.dataSource)} ORDER BY name`,
    );
  }

  /** Forgets a process, and those that have said nothing for long. */
  async forget(id: Buffer) {
    const { manager } = this.source;
    await manager.query(
      `DELETE FROM running_instances WHERE id = ? OR alive_until < ${databaseTime(manager.dataSource)}`,
      [id],
    );
  }
}
