import type { Dns } from './dns.js';
import type { Provider } from './providers.js';

/** The sender of mails, as the settings have it. */
export interface SenderFacts {
  dns: Dns;
  /** Domain of MAIL_FROM, which bounces go to. */
  domain: string;
  /** All domains that mails can come from. */
  domains: readonly string[];
  /** Host of SMTP_URL. */
  smtpHost: string;
  /** Whether the mail server is this machine. */
  isLocal: boolean;
  /** Host of BASE_URL. */
  baseHost: string;
  /** Addresses of this machine that others can see; none behind a router. */
  publicAddresses: readonly string[];
  /** Provider of the mail server; null when we know none. */
  provider: Provider | null;
  /** The selector of DKIM_SELECTOR; null when unset. */
  selector: string | null;
}

/** Returns the addresses from which mails leave, as best as it can be known. */
export async function sendingAddresses(facts: SenderFacts): Promise<string[]> {
  const { dns, isLocal, publicAddresses, baseHost, smtpHost } = facts;
  if (isLocal && publicAddresses.length > 0) return [...publicAddresses];
  const host = isLocal ? baseHost : smtpHost;
  return /^[\d.]+$|:/.test(host) ? [host] : dns.addresses(host);
}
