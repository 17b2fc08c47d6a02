import { Room } from '../platform/room.js';
import { ClientHostController } from './client-host.controller.js';
import { HostsService, PublicAddresses } from './hosts.service.js';
import { HostsRepository } from './hosts.repository.js';

/** Gives clients hosts of their own. */
@Room({ ClientHostController, HostsRepository, HostsService, PublicAddresses })
export class HostsModule {}
