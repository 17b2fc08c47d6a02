import { Injectable, Logger } from '@nestjs/common';
import type * as oidc from 'openid-client';
import { Config } from '../config/config.js';
import { Clock, HOUR_MS } from '../kernel/time.js';
import { ForbiddenError, UnavailableError, fact } from '../kernel/errors.js';

/** How long the provider may take for one answer, in seconds: a person is waiting. */
const TIMEOUT_SECONDS = 5;
/** How long the provider's configuration is used before it is asked for again. */
const CONFIGURATION_TTL_MS = HOUR_MS;
const SCOPE = 'openid email profile';
const BASIC = 'client_secret_basic';
/** Codes of errors that are the provider's or the network's, not the sign-in's. */
const OUTAGES = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);
const SERVER_ERROR = 500;

/** Secrets that tie the provider's answer to the browser that was sent there. */
export interface Binding {
  state: string;
  nonce: string;
  /** Verifier of PKCE (RFC 7636). */
  verifier: string;
}

/** Claims of the provider about the person who signed in there. */
export interface Claims {
  issuer: string;
  /** Never changes, and is never given to somebody else. */
  subject: string;
  email: string | null;
  /** Whether the provider made sure that mail to the address reaches the person. */
  isEmailVerified: boolean;
  name: string | null;
}

/** Loads the library once somebody signs in through a provider: most services have none. */
const openId = () => import('openid-client');

/**
 * Sends people to the OpenID Connect provider of the settings, and reads what it says of them. The
 * provider is asked for its configuration when somebody needs it: the start does not wait for it.
 */
@Injectable()
export class OidcClient {
  private readonly logger = new Logger(OidcClient.name);
  private configuration: Promise<oidc.Configuration> | null = null;
  private configuredAt = 0;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Returns what people call the provider; null when there is none. */
  get providerName(): string | null {
    return this.config.oidc.issuer === undefined ? null : this.config.oidc.name;
  }

  /** Returns where the provider is to send people back to. */
  get redirectUri() {
    return `${this.config.baseUrl}/sign-in/oidc/callback`;
  }

  /**
   * Returns the address at the provider where a person signs in.
   * @throws OidcUnavailable
   */
  async addressFor({ state, nonce, verifier }: Binding) {
    const configuration = await this.load();
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openId();
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return address.href;
  }

  /**
   * Takes the code that the provider sent the person back with, and returns what it says of them.
   * @param query of the address that the person came back to, such as `?code=…&state=…`
   * @throws OidcRefused when the answer is none to this binding, was used already, or is a refusal
   * @throws OidcUnavailable
   */
  async complete(query: string, { state, nonce, verifier }: Binding): Promise<Claims> {
    const configuration = await this.load();
    const { authorizationCodeGrant, fetchUserInfo } = await openId();
    try {
      const tokens = await authorizationCodeGrant(configuration, new URL(this.redirectUri + query), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const token = tokens.claims();
      if (!token) throw new OidcRefused();
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const isEnough = token.email !== undefined || !hasMore;
      const claims = isEnough ? token : await fetchUserInfo(configuration, tokens.access_token, token.sub);
      return claimsOf(token.iss, token.sub, claims);
    } catch (error) {
      throw await this.explain(error);
    }
  }

  /**
   * Asks the provider for its configuration, whatever is known of it. Rejects with the error of the
   * connection or of what was answered.
   */
  async verify() {
    await this.discover();
  }

  /** @throws OidcUnavailable */
  private load() {
    const now = this.clock.now().getTime();
    if (this.configuration && Math.abs(now - this.configuredAt) < CONFIGURATION_TTL_MS) {
      return this.configuration;
    }
    this.configuredAt = now;
    const loading = this.discover().catch((error: unknown) => {
      if (this.configuration === loading) this.configuration = null;
      this.warn(error);
      throw new OidcUnavailable();
    });
    this.configuration = loading;
    return loading;
  }

  private async discover() {
    const { issuer = '', clientId = '', clientSecret } = this.config.oidc;
    const library = await openId();
    return library.discovery(
      new URL(issuer),
      clientId,
      clientSecret,
      clientSecret === undefined ? library.None() : authenticate(library, clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        // The settings take plain http for a provider on this machine alone.
        execute: issuer.startsWith('http:') ? [library.allowInsecureRequests] : [],
      },
    );
  }

  private async explain(error: unknown): Promise<Error> {
    if (error instanceof OidcRefused) return error;
    this.warn(error);
    return (await isOutage(error)) ? new OidcUnavailable() : new OidcRefused();
  }

  /** Logs no more than the kind of an error: what it carries may hold codes and tokens. */
  private warn(error: unknown) {
    const { name, message, code } = error as { name?: string; message?: string; code?: string };
    const reason = (error as { error?: unknown }).error;
    this.logger.warn('A sign-in through the provider failed', { name, message, code, reason });
  }
}

/** Shows the secret in the way that every provider has to know, if this one does (RFC 6749, 2.3.1). */
function authenticate({ ClientSecretBasic, ClientSecretPost }: typeof oidc, secret: string): oidc.ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = [BASIC] } = server;
    (methods.includes(BASIC) ? basic : post)(server, ...rest);
  };
}

async function isOutage(error: unknown) {
  const { AuthorizationResponseError, ClientError, ResponseBodyError } = await openId();
  if (error instanceof AuthorizationResponseError) return false;
  if (error instanceof ResponseBodyError) return error.status >= SERVER_ERROR;
  if (error instanceof ClientError) return OUTAGES.has(error.code ?? '');
  return true;
}

function claimsOf(
  issuer: string,
  subject: string,
  { email, email_verified: isVerified, name }: oidc.UserInfoResponse | oidc.IDToken,
): Claims {
  return {
    issuer,
    subject,
    email: typeof email === 'string' && email !== '' ? email : null,
    isEmailVerified: isVerified === true,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim() : null,
  };
}

/** The provider does not answer, or answers what no provider should. */
class OidcUnavailable extends fact(
  UnavailableError,
  'oidc_unavailable',
  'The identity provider is not responding. Sign in another way, or try again in a minute.',
) {}

/** The sign-in at the provider was broken off, is not this browser's, or was used already. */
export class OidcRefused extends fact(
  ForbiddenError,
  'oidc_refused',
  'You did not finish signing in with the provider. Start again here.',
) {}
