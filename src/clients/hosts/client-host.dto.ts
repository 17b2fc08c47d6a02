import { asked, wrapped } from '../../platform/http/index.js';
import { parseHostName, Parsed, Required } from '../../platform/index.js';
import type { ClientHost } from './client-host.entity.js';

class ClaimedHostDto {
  /** A host name of the client's, such as forms.example.com. HOSTS says which ones this service takes. */
  @Parsed('not_a_host', parseHostName, 'must be a host name such as forms.example.com')
  @Required()
  name: string;
}

export class ClaimHostDto extends asked('host', ClaimedHostDto) {}

export class ProofRecordDto {
  name: string;
  type: 'TXT';
  value: string;
}

export class ClientHostDto {
  name: string;
  /** Whether the host serves the client. */
  proven: boolean;
  /** The host that serves the client: another one until this one is proven; null for none. */
  serving: string | null;
  proven_at: string | null;
  /** DNS record that proves it. */
  record: ProofRecordDto;
  /** Addresses under one of which a file with the value of the record may stand instead. */
  file_urls: string[];

  static of(claimed: ClientHost): ClientHostDto {
    const { host, isProven, provenHost, provenAt, record, fileUrls } = claimed;
    return {
      name: host,
      proven: isProven,
      serving: provenHost,
      proven_at: isProven && provenAt ? provenAt.toISOString() : null,
      record,
      file_urls: fileUrls,
    };
  }
}

export class ShownHostDto extends wrapped('host', ClientHostDto) {}
