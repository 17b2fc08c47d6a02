import { Room } from '../platform/room.js';
import { ClientsService } from './clients.service.js';
import { ClientTokensController } from './client-tokens.controller.js';
import { ClientsController } from './clients.controller.js';
import { ClientsRepository } from './clients.repository.js';

@Room({ ClientsController, ClientTokensController, ClientsRepository, ClientsService })
export class ClientsModule {}
