import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { EventsController } from './events.controller.js';
import { EventStreams } from './event-streams.js';

/** Tells people and programs that something has changed, so that they look again. */
@Module({
  imports: [AuthModule, FormsModule],
  controllers: [EventsController],
  providers: [EventStreams],
  exports: [EventStreams],
})
export class EventsModule {}
