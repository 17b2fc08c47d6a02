import { Room } from '../platform/room.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

@Room({ SessionsRepository, SessionsService })
export class SessionsModule {}
