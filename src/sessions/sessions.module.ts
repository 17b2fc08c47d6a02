import { Room } from '../platform/room.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

@Room({ providers: [SessionsRepository, SessionsService] })
export class SessionsModule {}
