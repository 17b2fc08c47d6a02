export { ClientHostController } from './client-host.controller.js';
export { HostsService, PublicAddresses } from './hosts.service.js';
export { HostsRepository } from './hosts.repository.js';
