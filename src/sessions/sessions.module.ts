export { SessionsRepository } from './sessions.repository.js';
export { SessionsService } from './sessions.service.js';
