import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SigningKey } from './signing-key.entity.js';
import { SigningKeysRepository } from './signing-keys.repository.js';
import { SigningService } from './signing.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SigningKey])],
  providers: [SigningKeysRepository, SigningService],
  exports: [SigningService],
})
export class SignedLinksModule {}
