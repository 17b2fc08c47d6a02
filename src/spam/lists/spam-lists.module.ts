import { Module } from '@nestjs/common';
import { FormsModule } from '../../forms/forms.module.js';
import { ListsSignal, LookUps, SpamLists } from './spam-lists.service.js';
import { SpamListsController } from './spam-lists.controller.js';
import { SpamListsRepository } from './spam-lists.repository.js';

@Module({
  imports: [FormsModule],
  controllers: [SpamListsController],
  providers: [ListsSignal, LookUps, SpamLists, SpamListsRepository],
  exports: [ListsSignal, SpamLists],
})
export class SpamListsModule {}
