import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { SignedLinksModule } from '../platform/signed-links/signed-links.module.js';
import { BrandsModule } from '../brands/brands.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { HttpClientModule } from '../platform/http-client/http-client.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { Calls } from './calls.js';
import { FormWebhook } from './form-webhook.entity.js';
import { FormWebhooksRepository } from './form-webhooks.repository.js';
import { WebhookCaller } from './webhook-caller.js';
import { WebhookTestCalls } from './webhook-test-calls.js';
import { WebhookChannel } from './webhook-channel.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([FormWebhook]),
    AuditModule,
    BrandsModule,
    SignedLinksModule,
    DeliveriesModule,
    FilesModule,
    FormsModule,
    HttpClientModule,
    NotificationsModule,
    SubmissionsModule,
  ],
  controllers: [WebhooksController],
  providers: [
    Calls,
    FormWebhooksRepository,
    WebhooksService,
    WebhookCaller,
    WebhookTestCalls,
    WebhookChannel,
  ],
  exports: [Calls, WebhooksService, WebhookTestCalls],
})
export class WebhooksModule {}
