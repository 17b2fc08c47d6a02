import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { SignedLinksModule } from '../platform/signed-links/signed-links.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { AccountBrand } from './account-brand.entity.js';
import { AccountBrandsRepository } from './account-brands.repository.js';
import { Account } from './account.entity.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { BrandController } from './brand.controller.js';
import { BrandsService } from './brands.service.js';
import { LogosController } from './logos.controller.js';
import { MeController } from './me.controller.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Account, AccountBrand]),
    AuditModule,
    SignedLinksModule,
    TokensModule,
  ],
  controllers: [MeController, BrandController, LogosController],
  providers: [AccountsRepository, AccountBrandsRepository, AccountsService, BrandsService],
  exports: [AccountsService, BrandsService],
})
export class AccountsModule {}
