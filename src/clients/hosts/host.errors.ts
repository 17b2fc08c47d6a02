import { ConflictError, InvalidFields, NotFoundError, fact } from '../../platform/index.js';
import type { ClientHost } from './client-host.entity.js';

export class HostNotFound extends fact(NotFoundError, 'host_not_found', 'This client has no host of its own.') {}

export class HostUnknown extends fact(NotFoundError, 'host_unknown', 'No client has this host.') {}

/** The operator did not allow the host. */
export function hostNotAllowed(): InvalidFields {
  const message = 'host.name is not among the hosts that this service takes: ask its operator to add it to HOSTS.';
  return new InvalidFields([{ field: 'host.name', code: 'not_allowed', message }]);
}

/** The host leads to all of the service. */
export function hostIsOurs(): InvalidFields {
  const message = 'host.name is the host of this service itself. Choose another.';
  return new InvalidFields([{ field: 'host.name', code: 'taken', message }]);
}

export class HostTaken extends fact(
  ConflictError,
  'host_taken',
  'Another client has this host. It must give it up first.',
  [{ field: 'host.name', code: 'taken', message: 'host.name belongs to another client.' }],
) {}

export class HostNotProven extends ConflictError {
  constructor({ record, fileUrls }: ClientHost, found: string) {
    const message = `We found neither a TXT record ${record.name} with ${record.value} nor that text at ${fileUrls.join(' or ')}. ${found} New records can take an hour to be seen.`;
    super('host_not_proven', message, [{ field: 'host', code: 'not_proven', message }]);
  }
}
