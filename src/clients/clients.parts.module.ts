export { ClientsService } from './clients.service.js';
export { ClientTokensController } from './client-tokens.controller.js';
export { ClientsController } from './clients.controller.js';
export { ClientsRepository } from './clients.repository.js';
export { AccountBrandsRepository, ClientBrandsRepository } from './brands/brands.repository.js';
export {
  BrandController,
  ClientBrandController,
  ClientSenderController,
  LogosController,
} from './brands/brand.controller.js';
export { BrandsService, ClientSenders } from './brands/brands.service.js';
export { ClientForms } from './brands/client-forms.service.js';
export { ClientFormsController } from './brands/client-forms.controller.js';
export { ClientHostController } from './hosts/client-host.controller.js';
export { HostsService, PublicAddresses } from './hosts/hosts.service.js';
export { HostsRepository } from './hosts/hosts.repository.js';
