import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { MailChannel } from './mail-channel.js';
import { Mailer } from './mailer.js';

@Module({
  imports: [DeliveriesModule, FilesModule, FormsModule, SubmissionsModule],
  providers: [Mailer, MailChannel],
  exports: [Mailer],
})
export class MailModule {}
