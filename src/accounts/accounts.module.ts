import { Room } from '../platform/room.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { MeController } from './me.controller.js';

@Room({ controllers: [MeController], providers: [AccountsRepository, AccountsService] })
export class AccountsModule {}
