import { Room } from '../platform/room.js';
import { EventsController } from './events.controller.js';
import { EventStreams } from './event-streams.js';

/** Tells people and programs that something has changed, so that they look again. */
@Room({ EventsController, EventStreams })
export class EventsModule {}
