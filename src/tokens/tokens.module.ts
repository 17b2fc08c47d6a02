export { TokensController } from './tokens.controller.js';
export { TokensRepository } from './tokens.repository.js';
export { TokensService } from './tokens.service.js';
