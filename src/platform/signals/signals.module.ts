import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Signal } from './signal.entity.js';
import { Signals } from './signals.js';
import { SignalsRepository } from './signals.repository.js';

/** Lets every room say that something has changed. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Signal])],
  providers: [Signals, SignalsRepository],
  exports: [Signals],
})
export class SignalsModule {}
