import { Room } from '../platform/room.js';
import { WarningsController } from './warnings.controller.js';
import { UnreadableSecrets, WarningsService } from './warnings.service.js';

@Room({ controllers: [WarningsController], providers: [UnreadableSecrets, WarningsService] })
export class WarningsModule {}
