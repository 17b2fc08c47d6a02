import { Module } from '@nestjs/common';
import { OidcClient } from './oidc-client.js';

@Module({ providers: [OidcClient], exports: [OidcClient] })
export class OidcModule {}
