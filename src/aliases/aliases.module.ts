import { Room } from '../platform/room.js';
import {
  AccountAliasesController,
  AliasesController,
  DialectController,
} from './aliases.controller.js';
import { AliasesService } from './aliases.service.js';
import { FormAliasesRepository } from './form-aliases.repository.js';

@Room({
  controllers: [AccountAliasesController, AliasesController, DialectController],
  providers: [AliasesService, FormAliasesRepository],
})
export class AliasesModule {}
