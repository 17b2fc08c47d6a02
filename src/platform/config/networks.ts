import ipaddr from 'ipaddr.js';

/** A block of addresses: its first address and the length of its prefix in bits. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Reads CIDR blocks or single addresses, separated by commas; null when one is neither. */
export function parseNetworks(text: string): Network[] | null {
  const blocks = text.split(',').map((block) => block.trim());
  try {
    return blocks.filter((block) => block !== '').map(parseNetwork);
  } catch {
    return null;
  }
}

function parseNetwork(block: string): Network {
  if (block.includes('/')) return ipaddr.parseCIDR(block);
  const address = ipaddr.parse(block);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
