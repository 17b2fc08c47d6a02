export { ClientsService } from './clients.service.js';
export { ClientTokensController } from './client-tokens.controller.js';
export { ClientsController } from './clients.controller.js';
export { ClientsRepository } from './clients.repository.js';
