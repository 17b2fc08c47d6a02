import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { OidcClient } from '../../platform/oidc/oidc-client.js';
import type { Check, Outcome } from './check.js';

/** Asks the OpenID Connect provider for its configuration. */
@Injectable()
export class OidcCheck implements Check {
  readonly name = 'sign-in provider';
  readonly settings = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'];

  constructor(
    private readonly provider: OidcClient,
    private readonly config: Config,
  ) {}

  async run(): Promise<Outcome> {
    const { issuer } = this.config.oidc;
    if (issuer === undefined) {
      return {
        state: 'ok',
        detail: 'OIDC_ISSUER is not set. Sign-in with an identity provider is off.',
      };
    }
    try {
      await this.provider.verify();
    } catch (error) {
      const { message, cause } = error as Error;
      const reason = cause instanceof Error ? `${message} (${cause.message})` : message;
      const detail = `${issuer} does not respond as an identity provider: ${reason}. Other ways to sign in work. Check OIDC_ISSUER and the firewall.`;
      return { state: 'failed', detail };
    }
    const { redirectUri } = this.provider;
    return {
      state: 'ok',
      detail: `${issuer} responds. Register ${redirectUri} there as a redirect URI.`,
    };
  }
}
