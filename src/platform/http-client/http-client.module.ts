import { Module } from '@nestjs/common';
import { Outbound } from './guarded-http-client.js';

@Module({ providers: [Outbound], exports: [Outbound] })
export class OutboundModule {}
