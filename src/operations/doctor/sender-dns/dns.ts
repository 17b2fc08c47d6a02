import { Resolver } from 'node:dns/promises';
import type { Provider } from './providers.js';

/** Time for the answer to one question, and for all questions of a check, in milliseconds. */
const ANSWER_MS = 5_000;
const ALL_ANSWERS_MS = 15_000;
/** Codes of a server for a name that does not exist or has no such record. */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA']);

/** The DNS does not say whether a record is there. */
export class DnsSilent extends Error {}

/** Asks the DNS. Returns nothing for what is not there, and throws when that is not known. @throws DnsSilent */
export class Dns {
  private readonly resolver = new Resolver({ timeout: ANSWER_MS, tries: 1 });
  /** When nothing is asked any more; set by the first question. */
  private until = 0;

  /** @param servers addresses of name servers; none for this machine's */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.resolver.setServers(servers);
  }

  mx(domain: string): Promise<string[]> {
    return this.ask(domain, async () => {
      const found = await this.resolver.resolveMx(domain);
      return found.map(({ exchange }) => exchange);
    });
  }

  /** Returns the texts, each with its parts put together. */
  txt(name: string): Promise<string[]> {
    return this.ask(name, async () => {
      const found = await this.resolver.resolveTxt(name);
      return found.map((parts) => parts.join(''));
    });
  }

  /** Returns the addresses of a host, of both families. */
  async addresses(host: string): Promise<string[]> {
    const [four, six] = await Promise.all([
      this.ask(host, () => this.resolver.resolve4(host)),
      this.ask(host, () => this.resolver.resolve6(host)),
    ]);
    return [...four, ...six];
  }

  /** Returns the names of an address. */
  names(address: string): Promise<string[]> {
    return this.ask(address, () => this.resolver.reverse(address));
  }

  private async ask(name: string, question: () => Promise<string[]>) {
    this.until ||= performance.now() + ALL_ANSWERS_MS;
    const left = this.until - performance.now();
    if (left <= 0) throw new DnsSilent(`DNS did not answer in ${ALL_ANSWERS_MS / 1_000} s.`);
    const waitMs = Math.min(ANSWER_MS, left);
    const late = `DNS did not answer in ${Math.ceil(waitMs / 1_000)} s when asked for ${name}.`;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new DnsSilent(late));
      }, waitMs);
    });
    try {
      return await Promise.race([insist(question, performance.now() + waitMs), timeout]);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (NOTHING_THERE.has(code)) return [];
      if (error instanceof DnsSilent) throw error;
      throw new DnsSilent(code === 'ETIMEOUT' ? late : `DNS failed to answer for ${name} (${code || String(error)}).`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Repeats a question that is not answered: the resolver gives up sooner where it knows fast servers. */
async function insist(question: () => Promise<string[]>, until: number) {
  for (;;) {
    try {
      return await question();
    } catch (error) {
      const isLate = (error as NodeJS.ErrnoException).code === 'ETIMEOUT';
      if (!isLate || performance.now() >= until) throw error;
    }
  }
}

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
