import ipaddr from 'ipaddr.js';
import type { Check, DnsRecord, Outcome } from '../check.js';
import { sendingAddresses, type SenderFacts } from './sender-facts.js';

/** Checks that the addresses of this machine, which sends mails itself, have a name that leads back to them. */
export class PtrCheck implements Check {
  readonly name = 'PTR';
  readonly settings = ['SMTP_URL', 'BASE_URL'];

  constructor(private readonly facts: SenderFacts) {}

  async run(): Promise<Outcome> {
    const { dns, baseHost } = this.facts;
    const addresses = await sendingAddresses(this.facts);
    if (addresses.length === 0) {
      const detail = `The address that this machine sends from is not known: ${baseHost} has none.`;
      return { state: 'warning', detail };
    }
    const good: string[] = [];
    const wrong: string[] = [];
    const records: DnsRecord[] = [];
    for (const address of addresses) {
      const names = await dns.names(address);
      const [name] = names;
      if (name === undefined) {
        wrong.push(`${address} has no name (PTR), so many receivers reject its emails.`);
      } else if (await this.leadBack(names, address)) {
        good.push(`${address} is ${name}, and back.`);
        continue;
      } else {
        wrong.push(`${address} is named ${name}, which does not lead back to it.`);
      }
      records.push({ name: reverseNameOf(address), type: 'PTR', value: `${baseHost}.` });
    }
    if (wrong.length === 0) return { state: 'ok', detail: good.join(' ') };
    const detail = `${wrong.join(' ')} Ask the provider of the machine to set it.`;
    return { state: 'warning', detail, records };
  }

  private async leadBack(names: readonly string[], address: string): Promise<boolean> {
    for (const name of names) {
      if ((await this.facts.dns.addresses(name)).includes(address)) return true;
    }
    return false;
  }
}

function reverseNameOf(address: string): string {
  const bytes = ipaddr.parse(address).toByteArray().reverse();
  if (bytes.length === 4) return `${bytes.join('.')}.in-addr.arpa.`;
  const nibbles = bytes.flatMap((byte) => [byte & 15, byte >> 4]);
  return `${nibbles.map((nibble) => nibble.toString(16)).join('.')}.ip6.arpa.`;
}
