import { Room } from '../platform/room.js';
import { MovesController } from './moves.controller.js';
import { MovesService } from './moves.service.js';

@Room({ MovesController, MovesService })
export class MovesModule {}
