import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SigningModule } from '../signing/signing.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { OutboundModule } from '../outbound/outbound.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { FormWebhook } from './form-webhook.entity.js';
import { FormWebhooksRepository } from './form-webhooks.repository.js';
import { WebhookCaller } from './webhook-caller.js';
import { WebhookPayer } from './webhook-payer.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([FormWebhook]),
    SigningModule,
    DeliveriesModule,
    FilesModule,
    FormsModule,
    OutboundModule,
    SubmissionsModule,
  ],
  controllers: [WebhooksController],
  providers: [FormWebhooksRepository, WebhooksService, WebhookCaller, WebhookPayer],
  exports: [WebhooksService],
})
export class WebhooksModule {}
