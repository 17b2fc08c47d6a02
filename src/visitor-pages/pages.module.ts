import { Room } from '../platform/room.js';
import { APP_FILTER } from '@nestjs/core';
import {
  ConfirmController,
  DigestController,
  EndReportsController,
  OptInController,
  PagesController,
} from './links.controller.js';
import { FormTokenController, ChallengeController } from './challenge.controller.js';
import { PageFilter, Pages } from './pages.js';
import { ThankYouPageController } from './thank-you-page.controller.js';

@Room({
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
})
export class PagesModule {}
