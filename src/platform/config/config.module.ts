import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { Config } from './config.js';

/** What every module may ask for: the checked settings, and what time it is. */
@Global()
@Module({})
export class ConfigModule {
  static with(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Config, useValue: config }, Clock],
      exports: [Config, Clock],
    };
  }
}
