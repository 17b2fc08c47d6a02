import { Module } from '@nestjs/common';
import { AliasesModule } from '../aliases/aliases.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { MovesController } from './moves.controller.js';
import { MovesService } from './moves.service.js';

@Module({
  imports: [AliasesModule, FormsModule],
  controllers: [MovesController],
  providers: [MovesService],
  exports: [MovesService],
})
export class MovesModule {}
