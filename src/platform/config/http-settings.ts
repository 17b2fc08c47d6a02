import { IsOptional, ValidateBy } from 'class-validator';
import { commaList } from '../kernel/text/comma-list.js';
import { isMonitorUrl } from './monitor-url.js';
import { isHostList } from './own-hosts.js';
import { Setting, WholeNumber } from './setting.decorator.js';
import { parseTrustProxy, type TrustedProxies } from './trust-proxy.js';

/** Holds where the service listens, and how long and how much it hears of one address. */
export class HttpSettings {
  /**
   * Which proxies in front may tell a visitor's address by X-Forwarded-For: `off`, how many there
   * are, or their addresses as comma-separated CIDR blocks.
   */
  @Setting('TRUST_PROXY')
  @ValidateBy({
    name: 'trust_proxy',
    validator: {
      validate: (value) => typeof value === 'string' && parseTrustProxy(value) !== null,
      defaultMessage: () =>
        'must be off, the number of proxies in front (1 to 10), or their addresses such as 10.0.0.0/8,127.0.0.1',
    },
  })
  readonly trustProxy: string = 'off';

  /** Longest time to send the headers of a request, in milliseconds. */
  @Setting('HEADER_TIMEOUT_MS')
  @WholeNumber(100, 600_000, 'milliseconds', 15_000)
  readonly headerTimeoutMs: number = 15_000;

  /** Longest time to send a whole request, in milliseconds. */
  @Setting('BODY_TIMEOUT_MS')
  @WholeNumber(100, 3_600_000, 'milliseconds', 60_000)
  readonly bodyTimeoutMs: number = 60_000;

  /** Connections that one address may have open at once; 0 stands for no limit. */
  @Setting('MAX_CONNECTIONS_PER_ADDRESS')
  @WholeNumber(0, 100_000, 'connections', 1_000)
  readonly maxConnectionsPerAddress: number = 1_000;

  /** Hosts that clients may have as their own; none: no client has one. */
  @Setting('HOSTS')
  @ValidateBy({
    name: 'hosts',
    validator: {
      validate: (value) => typeof value === 'string' && isHostList(value),
      defaultMessage: () =>
        'must be * or host names separated by commas, such as forms.example.com,*.example.org',
    },
  })
  private readonly givenHosts: string = '';

  /** Address of a monitor that is called each minute while all is well; it may hold a secret. */
  @Setting('HEARTBEAT_URL')
  @IsOptional()
  @ValidateBy({
    name: 'heartbeat_url',
    validator: {
      validate: isMonitorUrl,
      defaultMessage: () =>
        'must be an http or https URL without a user and password, such as https://hc-ping.com/…',
    },
  })
  readonly heartbeatUrl?: string;

  /** Returns the entries of HOSTS, for `isHostAmong`. */
  get hosts(): string[] {
    return commaList(this.givenHosts);
  }

  #trustedProxies?: TrustedProxies;

  /** Returns the function that tells which proxies of a request are trusted, from the nearest. */
  get trustedProxies(): TrustedProxies {
    this.#trustedProxies ??= parseTrustProxy(this.trustProxy) ?? (() => false);
    return this.#trustedProxies;
  }
}
