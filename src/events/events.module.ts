export { EventsController } from './events.controller.js';
export { EventStreams } from './event-streams.js';
