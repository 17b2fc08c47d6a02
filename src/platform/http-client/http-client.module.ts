import { Module } from '@nestjs/common';
import { GuardedHttpClient } from './guarded-http-client.js';

@Module({ providers: [GuardedHttpClient], exports: [GuardedHttpClient] })
export class HttpClientModule {}
