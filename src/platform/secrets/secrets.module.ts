import { Module } from '@nestjs/common';
import { SealedRows } from './sealed-rows.js';
import { SecretBox } from './secret-box.js';

@Module({ providers: [SealedRows, SecretBox], exports: [SealedRows, SecretBox] })
export class SecretsModule {}
