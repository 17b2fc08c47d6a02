import { RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { room } from '../platform/room.js';
import { emptyPostIsGet } from './forms.controller.js';
import * as parts from './forms.parts.module.js';

/** Keeps forms, their settings and fields, and who sees them. */
export class FormsModule extends room(parts) implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(emptyPostIsGet).forRoutes({ path: 'api/v1/forms', method: RequestMethod.POST });
  }
}
