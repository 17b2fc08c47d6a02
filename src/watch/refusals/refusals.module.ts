import { Module } from '@nestjs/common';
import { FormsModule } from '../../forms/forms.module.js';
import { FormRefusalsRepository } from './form-refusals.repository.js';
import { RefusalsController } from './refusals.controller.js';
import { RefusalsService } from './refusals.service.js';

/** Counts what forms refuse. */
@Module({
  imports: [FormsModule],
  controllers: [RefusalsController],
  providers: [FormRefusalsRepository, RefusalsService],
  exports: [RefusalsService],
})
export class RefusalsModule {}
