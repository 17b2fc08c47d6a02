import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { PeopleModule } from '../people/people.module.js';
import { BrandsModule } from '../brands/brands.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { MailModule } from '../mail/mail.module.js';
import { SavedViewsController, ViewDigestsController } from './saved-views.controller.js';
import { SavedViewsRepository, ViewDigestsRepository } from './saved-views.repository.js';
import { SavedViewsService, ViewDigestWorker, ViewDigestsService } from './saved-views.service.js';
import { SearchModule } from '../search/search.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';

@Module({
  imports: [
    BrandsModule,
    ClientsModule,
    DeliveriesModule,
    MailModule,
    PeopleModule,
    SearchModule,
    SubmissionsModule,
  ],
  controllers: [SavedViewsController, ViewDigestsController],
  providers: [
    SavedViewsRepository,
    SavedViewsService,
    ViewDigestsRepository,
    ViewDigestsService,
    ViewDigestWorker,
  ],
  exports: [SavedViewsService, ViewDigestsService, ViewDigestWorker],
})
export class SavedViewsModule {}
