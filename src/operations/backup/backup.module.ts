import { Module } from '@nestjs/common';
import { FilesModule } from '../../files/files.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { PeopleModule } from '../../people/people.module.js';
import { BackupService } from './backup.service.js';
import { RestoreService } from './restore.service.js';
import { VerifyService } from './verify.service.js';
import { ScheduledBackups } from './scheduled-backups.js';

@Module({
  imports: [FilesModule, MailModule, PeopleModule],
  providers: [BackupService, RestoreService, ScheduledBackups, VerifyService],
  exports: [ScheduledBackups],
})
export class BackupModule {}
