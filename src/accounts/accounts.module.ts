import { Module } from '@nestjs/common';
import { TokensModule } from '../tokens/tokens.module.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { MeController } from './me.controller.js';

@Module({
  imports: [TokensModule],
  controllers: [MeController],
  providers: [AccountsRepository, AccountsService],
  exports: [AccountsService],
})
export class AccountsModule {}
