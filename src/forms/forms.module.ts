import { RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { Room } from '../platform/room.js';
import { emptyPostIsGet } from './forms.controller.js';
import * as parts from './forms.parts.module.js';

@Room(parts)
export class FormsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(emptyPostIsGet).forRoutes({ path: 'api/v1/forms', method: RequestMethod.POST });
  }
}
