import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '../kernel/time.js';
import { Config } from './config.js';

/** Provides the checked settings and the clock to every module. */
@Global()
@Module({})
export class ConfigModule {
  static with(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Config, useValue: config }, Clock],
      exports: [Clock, Config],
    };
  }
}
