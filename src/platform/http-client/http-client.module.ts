import { Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { GuardedHttpClient } from './guarded-http-client.js';

@Module({
  providers: [
    {
      provide: GuardedHttpClient,
      inject: [Config],
      useFactory: (config: Config) => new GuardedHttpClient(config),
    },
  ],
  exports: [GuardedHttpClient],
})
export class HttpClientModule {}
