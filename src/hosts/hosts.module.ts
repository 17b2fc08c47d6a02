import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { ClientHostController } from './client-host.controller.js';
import { HostsService, PublicAddresses } from './hosts.service.js';
import { HostsRepository } from './hosts.repository.js';

/** Gives clients hosts of their own. */
@Module({
  imports: [ClientsModule],
  controllers: [ClientHostController],
  providers: [HostsRepository, HostsService, PublicAddresses],
  exports: [HostsService, PublicAddresses],
})
export class HostsModule {}
