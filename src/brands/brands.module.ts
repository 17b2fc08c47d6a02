export { AccountBrandsRepository, ClientBrandsRepository } from './brands.repository.js';
export {
  BrandController,
  ClientBrandController,
  ClientSenderController,
  LogosController,
} from './brand.controller.js';
export { BrandsService, ClientSenders } from './brands.service.js';
export { ClientForms } from './client-forms.service.js';
export { ClientFormsController } from './client-forms.controller.js';
