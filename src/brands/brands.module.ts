import { Room } from '../platform/room.js';
import { AccountBrandsRepository, ClientBrandsRepository } from './brands.repository.js';
import {
  BrandController,
  ClientBrandController,
  ClientSenderController,
  LogosController,
} from './brand.controller.js';
import { BrandsService, ClientSenders } from './brands.service.js';
import { ClientForms } from './client-forms.service.js';
import { ClientFormsController } from './client-forms.controller.js';

@Room({
  controllers: [
    BrandController,
    ClientBrandController,
    ClientFormsController,
    ClientSenderController,
    LogosController,
  ],
  providers: [
    AccountBrandsRepository,
    BrandsService,
    ClientBrandsRepository,
    ClientForms,
    ClientSenders,
  ],
})
export class BrandsModule {}
