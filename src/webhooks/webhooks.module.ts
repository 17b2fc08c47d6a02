import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { Calls } from './calls.js';
import { FormWebhooksRepository } from './form-webhooks.repository.js';
import { WebhookCaller, WebhookTestCalls, WebhooksService } from './webhooks.service.js';
import { WebhookChannel } from './webhook-channel.js';
import { WebhooksController } from './webhooks.controller.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';

@Module({
  imports: [
    BrandsModule,
    DeliveriesModule,
    FilesModule,
    FormsModule,
    NotificationsModule,
    SubmissionsModule,
  ],
  controllers: [WebhooksController],
  providers: [
    Calls,
    FormWebhooksRepository,
    WebhookCaller,
    WebhookChannel,
    WebhooksService,
    WebhookTestCalls,
  ],
  exports: [Calls, WebhooksService, WebhookTestCalls],
})
export class WebhooksModule {}
