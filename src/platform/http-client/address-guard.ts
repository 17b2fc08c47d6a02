import ipaddr from 'ipaddr.js';
import os from 'node:os';
import type { Network } from '../config/networks.js';

/** Networks that ipaddr.js takes for public, but that lead elsewhere. */
const DENIED: Network[] = [
  ipaddr.parseCIDR('168.63.129.16/32'), // the host of a virtual machine at Azure
  ipaddr.parseCIDR('::/96'), // IPv4-compatible addresses (deprecated by RFC 4291)
  ipaddr.parseCIDR('64:ff9b::/96'), // leads to any IPv4 address (RFC 6052)
  ipaddr.parseCIDR('64:ff9b:1::/48'), // the same within a site (RFC 8215)
  ipaddr.parseCIDR('2002::/16'), // carries an IPv4 address (RFC 3056)
];

/**
 * Tells whether a call may go to this address: it is public unicast and not this machine's own, or in a
 * network that the operator allows.
 * @param text an IP address; anything else is refused
 */
export function isAllowedAddress(text: string, allowed: Network[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text.replace(/%.*/s, ''));
  if (isIn(address, allowed)) return true;
  return address.range() === 'unicast' && !isIn(address, DENIED) && !isOwn(address);
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, networks: Network[]): boolean {
  return networks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
}

/** Tells whether an address is this machine's own, which may be a public one. */
function isOwn(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(
      (own) => ipaddr.process(own.address.replace(/%.*/s, '')).toString() === address.toString(),
    );
}
