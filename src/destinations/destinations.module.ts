import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { BrandsModule } from '../brands/brands.module.js';
import { BouncesModule } from '../bounces/bounces.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { MailModule } from '../mail/mail.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { SearchModule } from '../search/search.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import {
  DestinationCaller,
  DestinationChannel,
  DestinationMails,
  DestinationSecrets,
} from './destination-channel.js';
import { DestinationPreviews } from './destination-previews.js';
import { DestinationPlanner } from './destination-planner.js';
import { DestinationExclusions, DestinationLog } from './destination-exclusions.service.js';
import { DestinationOpener } from './destination-opener.js';
import { DestinationsService } from './destinations.service.js';
import { DestinationSamples, DestinationTrials } from './destination-trials.js';
import { DestinationsController } from './destinations.controller.js';
import { DestinationsRepository } from './destinations.repository.js';
import { FormDestinationsController } from './form-destinations.controller.js';

@Module({
  imports: [
    AccountsModule,
    BrandsModule,
    BouncesModule,
    ClientsModule,
    DeliveriesModule,
    FilesModule,
    FormsModule,
    MailModule,
    NotificationsModule,
    SearchModule,
    SubmissionsModule,
    WebhooksModule,
  ],
  controllers: [FormDestinationsController, DestinationsController],
  providers: [
    DestinationCaller,
    DestinationChannel,
    DestinationExclusions,
    DestinationLog,
    DestinationMails,
    DestinationOpener,
    DestinationPlanner,
    DestinationPreviews,
    DestinationSamples,
    DestinationSecrets,
    DestinationsRepository,
    DestinationsService,
    DestinationTrials,
  ],
  exports: [
    DestinationExclusions,
    DestinationLog,
    DestinationPreviews,
    DestinationSecrets,
    DestinationsService,
    DestinationTrials,
  ],
})
export class DestinationsModule {}
