import { Global, Module } from '@nestjs/common';
import { Projections } from './projections.js';

@Global()
@Module({ providers: [Projections], exports: [Projections] })
export class ProjectionsModule {}
