import { room } from '../platform/room.js';
import * as parts from './clients.parts.module.js';

/** Keeps clients, whose people see some of the forms: their look, their sender and their hosts. */
export class ClientsModule extends room(parts) {}
