import type { Check, Outcome } from '../check.js';
import type { SenderFacts } from './sender-facts.js';

/** Checks that the domains of the sender take mail, so that bounces and replies arrive. */
export class MxCheck implements Check {
  readonly name = 'MX';
  readonly settings = ['MAIL_FROM', 'MAIL_FROM_DOMAINS'];

  constructor(private readonly facts: SenderFacts) {}

  async run(): Promise<Outcome> {
    const { dns, domains } = this.facts;
    const good: string[] = [];
    const wrong: string[] = [];
    for (const domain of domains) {
      const servers = await dns.mx(domain);
      // A domain that takes no mail names a server without a name (RFC 7505).
      const [server] = servers.filter((name) => name !== '' && name !== '.');
      if (server !== undefined) good.push(`${domain} receives email at ${server}.`);
      else if (servers.length > 0) {
        wrong.push(`${domain} accepts no email, by its MX record. Bounces and replies are lost.`);
      } else if ((await dns.addresses(domain)).length > 0) {
        wrong.push(
          `${domain} has no MX record, so bounces and replies go to the host itself. Add an MX record that names its mail server.`,
        );
      } else {
        wrong.push(
          `${domain} has neither an MX record nor an address, so bounces and replies are lost, and some receivers reject its emails. Add an MX record that names its mail server.`,
        );
      }
    }
    if (wrong.length === 0) return { state: 'ok', detail: good.join(' ') };
    return { state: 'warning', detail: wrong.join(' ') };
  }
}
