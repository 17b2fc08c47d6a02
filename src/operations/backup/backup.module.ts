import { Module } from '@nestjs/common';
import { FilesModule } from '../../files/files.module.js';
import { BackupService } from './backup.service.js';
import { RestoreService } from './restore.service.js';

@Module({
  imports: [FilesModule],
  providers: [BackupService, RestoreService],
})
export class BackupModule {}
