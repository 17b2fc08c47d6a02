import { Module } from '@nestjs/common';
import { FormsModule } from '../forms/forms.module.js';
import {
  AccountAliasesController,
  AliasesController,
  DialectController,
} from './aliases.controller.js';
import { AliasesService } from './aliases.service.js';
import { FormAliasesRepository } from './form-aliases.repository.js';

@Module({
  imports: [FormsModule],
  controllers: [AccountAliasesController, AliasesController, DialectController],
  providers: [AliasesService, FormAliasesRepository],
  exports: [AliasesService],
})
export class AliasesModule {}
