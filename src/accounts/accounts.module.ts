export { AccountsRepository } from './accounts.repository.js';
export { AccountsService } from './accounts.service.js';
export { MeController } from './me.controller.js';
