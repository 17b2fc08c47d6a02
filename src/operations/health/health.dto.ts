import { parseHostName, Parsed, Required } from '../../platform/index.js';

export class HealthDto {
  /** `degraded` when requests are served but for some; what cannot be served answers with an error. */
  status: 'ok' | 'degraded';
  /** The problem, when `degraded`. */
  detail?: string;
}

export class LiveDto {
  status: 'ok';
  /** The version of the service, such as `0.2.0`. */
  version: string;
}

export class HostQueryDto {
  /** A host name, such as forms.example.com. */
  @Parsed('not_a_host', parseHostName, 'must be a host name such as forms.example.com')
  @Required()
  domain: string;
}

export class HostDto {
  host: string;
}
