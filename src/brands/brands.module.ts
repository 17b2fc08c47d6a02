import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { HostsModule } from '../hosts/hosts.module.js';
import { HttpClientModule } from '../platform/http-client/http-client.module.js';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { SignedLinksModule } from '../platform/signed-links/signed-links.module.js';
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
    AuditModule,
    ClientsModule,
    FormsModule,
    HostsModule,
    HttpClientModule,
    SecretsModule,
    SignedLinksModule,
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
