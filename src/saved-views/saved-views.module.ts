import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClientsModule } from '../clients/clients.module.js';
import { PeopleModule } from '../people/people.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { SavedView } from './saved-view.entity.js';
import { SavedViewsController } from './saved-views.controller.js';
import { SavedViewsRepository } from './saved-views.repository.js';
import { SavedViewsService } from './saved-views.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SavedView]), ClientsModule, PeopleModule, SubmissionsModule],
  controllers: [SavedViewsController],
  providers: [SavedViewsRepository, SavedViewsService],
  exports: [SavedViewsService],
})
export class SavedViewsModule {}
