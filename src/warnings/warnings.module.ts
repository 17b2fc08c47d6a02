import { Module } from '@nestjs/common';
import { BouncesModule } from '../bounces/bounces.module.js';
import { CanaryModule } from '../canary/canary.module.js';
import { BrandsModule } from '../brands/brands.module.js';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { MailModule } from '../mail/mail.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { SpamModule } from '../spam/spam.module.js';
import { WatchModule } from '../watch/watch.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { WarningsController } from './warnings.controller.js';
import { UnreadableSecrets, WarningsService } from './warnings.service.js';
import { SearchModule } from '../search/search.module.js';

@Module({
  imports: [
    BouncesModule,
    BrandsModule,
    CanaryModule,
    DeliveriesModule,
    FormsModule,
    MailModule,
    NotificationsModule,
    SpamModule,
    SearchModule,
    WatchModule,
    WebhooksModule,
    DestinationsModule,
  ],
  controllers: [WarningsController],
  providers: [UnreadableSecrets, WarningsService],
  exports: [WarningsService],
})
export class WarningsModule {}
