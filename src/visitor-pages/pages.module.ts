import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { BrandsModule } from '../brands/brands.module.js';
import { AliasesModule } from '../aliases/aliases.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { HostsModule } from '../hosts/hosts.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { SpamModule } from '../spam/spam.module.js';
import { SavedViewsModule } from '../saved-views/saved-views.module.js';
import {
  ConfirmController,
  DigestController,
  EndReportsController,
  OptInController,
  PagesController,
} from './links.controller.js';
import { ReportsModule } from '../reports/reports.module.js';
import { FormTokenController, ChallengeController } from './challenge.controller.js';
import { PageFilter, Pages } from './pages.js';
import { ThankYouPageController } from './thank-you-page.controller.js';
import { SearchModule } from '../search/search.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';

@Module({
  imports: [
    AliasesModule,
    BrandsModule,
    FormsModule,
    HostsModule,
    NotificationsModule,
    ReportsModule,
    SavedViewsModule,
    SpamModule,
    SearchModule,
    SubmissionsModule,
  ],
  controllers: [
    ChallengeController,
    ConfirmController,
    DigestController,
    EndReportsController,
    FormTokenController,
    OptInController,
    PagesController,
    ThankYouPageController,
  ],
  providers: [Pages, { provide: APP_FILTER, useClass: PageFilter }],
  exports: [Pages],
})
export class PagesModule {}
