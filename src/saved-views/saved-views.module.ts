import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClientsModule } from '../clients/clients.module.js';
import { PeopleModule } from '../people/people.module.js';
import { BrandsModule } from '../brands/brands.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { MailModule } from '../mail/mail.module.js';
import { SavedView } from './saved-view.entity.js';
import { SavedViewsController, ViewDigestsController } from './saved-views.controller.js';
import { SavedViewsRepository } from './saved-views.repository.js';
import { SavedViewsService } from './saved-views.service.js';
import { ViewDigest } from './view-digest.entity.js';
import { ViewDigestWorker } from './view-digest-worker.js';
import { ViewDigestsRepository } from './view-digests.repository.js';
import { ViewDigestsService } from './view-digests.service.js';
import { SearchModule } from '../search/search.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([SavedView, ViewDigest]),
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
