import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { FileStore } from '../../files/file-store.js';
import { FilesService } from '../../files/files.service.js';
import { beginBackup, type Backup } from '../../platform/database/backup/backup.js';

/** Makes backups: the whole database at one moment, and the files it names. */
@Injectable()
export class BackupService {
  constructor(
    private readonly database: DataSource,
    private readonly store: FileStore,
    private readonly files: FilesService,
  ) {}

  /** Begins a backup; the service may be running. */
  begin(): Backup {
    return beginBackup(this.database, {
      find: (id) => this.store.find(id),
      isKnown: (id) => this.files.isKnown(this.database.manager, id),
    });
  }
}
