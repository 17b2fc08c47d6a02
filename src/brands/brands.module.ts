import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { HostsModule } from '../hosts/hosts.module.js';
import { AccountBrandsRepository } from './account-brands.repository.js';
import { BrandController, ClientBrandController } from './brand.controller.js';
import { BrandsService } from './brands.service.js';
import { ClientBrandsRepository } from './client-brands.repository.js';
import { ClientBrandsService } from './client-brands.service.js';
import { ClientForms } from './client-forms.service.js';
import { ClientFormsController } from './client-forms.controller.js';
import { ClientSenderController } from './client-sender.controller.js';
import { ClientSenders } from './client-senders.service.js';
import { LogosController } from './logos.controller.js';
import { AccountBrand } from './model/account-brand.entity.js';
import { ClientBrand } from './model/client-brand.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([AccountBrand, ClientBrand]),
    AccountsModule,
    ClientsModule,
    FormsModule,
    HostsModule,
  ],
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
    ClientBrandsService,
    ClientForms,
    ClientSenders,
  ],
  exports: [BrandsService, ClientBrandsService, ClientForms, ClientSenders],
})
export class BrandsModule {}
