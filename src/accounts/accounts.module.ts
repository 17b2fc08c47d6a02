import { Room } from '../platform/room.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { MeController } from './me.controller.js';

@Room({ MeController, AccountsRepository, AccountsService })
export class AccountsModule {}
