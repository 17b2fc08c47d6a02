import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FormsModule } from '../../forms/forms.module.js';
import { FormRefusal } from './form-refusal.entity.js';
import { FormRefusalsRepository } from './form-refusals.repository.js';
import { RefusalsController } from './refusals.controller.js';
import { RefusalsService } from './refusals.service.js';

/** Counts what forms refuse. */
@Module({
  imports: [TypeOrmModule.forFeature([FormRefusal]), FormsModule],
  controllers: [RefusalsController],
  providers: [FormRefusalsRepository, RefusalsService],
  exports: [RefusalsService],
})
export class RefusalsModule {}
