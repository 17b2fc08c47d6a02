import { room } from '../platform/room.js';
import { ClientsService } from './clients.service.js';
import { ClientTokensController } from './client-tokens.controller.js';
import { ClientsController } from './clients.controller.js';
import { ClientsRepository } from './clients.repository.js';

const parts = { ClientsController, ClientTokensController, ClientsRepository, ClientsService };

/** Keeps clients, whose people see some of the forms. */
export class ClientsModule extends room(parts) {}
