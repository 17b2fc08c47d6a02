import { isIP } from 'node:net';

/** Whom passkeys are made for: the service at one address. */
export interface RelyingParty {
  /** The host name, which a passkey is bound to. */
  id: string;
  /** Scheme, host name and port, which browsers report. */
  origin: string;
}

/**
 * Returns whom passkeys are made for, or null where browsers keep none: over plain http but for
 * localhost, and where the address has no name (WebAuthn level 3, section 5.1.2).
 * @param baseUrl of this service
 */
export function relyingPartyOf(baseUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(baseUrl);
  const isNamed = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return isNamed && (protocol === 'https:' || isLocal) ? { id: hostname, origin } : null;
}
