import { Room } from '../platform/room.js';
import { WarningsController } from './warnings.controller.js';
import { UnreadableSecrets, WarningsService } from './warnings.service.js';

@Room({ WarningsController, UnreadableSecrets, WarningsService })
export class WarningsModule {}
