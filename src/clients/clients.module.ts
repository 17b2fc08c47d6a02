import { Module } from '@nestjs/common';
import { FormsModule } from '../forms/forms.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { ClientsService } from './clients.service.js';
import { ClientTokensController } from './client-tokens.controller.js';
import { ClientsController } from './clients.controller.js';
import { ClientsRepository } from './clients.repository.js';

@Module({
  imports: [FormsModule, TokensModule],
  controllers: [ClientsController, ClientTokensController],
  providers: [ClientsRepository, ClientsService],
  exports: [ClientsService],
})
export class ClientsModule {}
