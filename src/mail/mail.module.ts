import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.js';
import { BouncesModule } from '../bounces/bounces.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { FormMails } from './messages/form-mails.js';
import { DigestMails, MailChannel, MailPreviews } from './mail-channel.js';
import { MailCaps, Mailer } from './mailer.js';
import { Readers } from './readers.js';
import { ClientServers } from './client-servers.js';
import { MailsController } from './mails.controller.js';
import { SearchModule } from '../search/search.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { TriageModule } from '../triage/triage.module.js';

@Module({
  imports: [
    BouncesModule,
    BrandsModule,
    DeliveriesModule,
    FilesModule,
    FormsModule,
    NotificationsModule,
    JobsModule,
    SearchModule,
    SubmissionsModule,
    TriageModule,
  ],
  controllers: [MailsController],
  providers: [
    ClientServers,
    DigestMails,
    FormMails,
    MailCaps,
    MailChannel,
    Mailer,
    MailPreviews,
    Readers,
  ],
  exports: [DigestMails, FormMails, MailChannel, Mailer, MailPreviews, Readers],
})
export class MailModule {}
