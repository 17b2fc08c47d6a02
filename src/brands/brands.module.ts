import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { HostsModule } from '../hosts/hosts.module.js';
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

@Module({
  imports: [AccountsModule, ClientsModule, FormsModule, HostsModule],
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
  exports: [BrandsService, ClientForms, ClientSenders],
})
export class BrandsModule {}
