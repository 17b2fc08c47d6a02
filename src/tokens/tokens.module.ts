import { Room } from '../platform/room.js';
import { TokensController } from './tokens.controller.js';
import { TokensRepository } from './tokens.repository.js';
import { TokensService } from './tokens.service.js';

@Room({ TokensController, TokensRepository, TokensService })
export class TokensModule {}
