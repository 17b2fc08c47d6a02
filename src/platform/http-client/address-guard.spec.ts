import { networkInterfaces } from 'node:os';
import { parseNetworks } from '../config/addresses.js';
import { isAllowedAddress } from './guarded-http-client.js';

const allowed = (list: string) => parseNetworks(list) ?? [];

describe('Without allowed networks (W-01)', () => {
  it.each(['93.184.216.34', '1.1.1.1', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:1.1.1.1'])(
    'a call may go to %s',
    (address) => {
      expect(isAllowedAddress(address, [])).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::101:101',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '100::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fe80::1',
    'fe80::1%lo',
    'fec0::1',
    'ff02::1',
    'example.com',
  ])('none may go to %s', (address) => {
    expect(isAllowedAddress(address, [])).toBe(false);
  });

  it('none may go to an address of this machine', () => {
    const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    expect(own.length).toBeGreaterThan(0);
    for (const { address } of own) expect(isAllowedAddress(address, [])).toBe(false);
  });
});

it.each([
  ['127.0.0.1/32', '127.0.0.1', true],
  ['127.0.0.1/32', '::ffff:127.0.0.1', true],
  ['127.0.0.1/32', '127.0.0.2', false],
  ['10.1.0.0/16', '10.1.255.255', true],
  ['10.1.0.0/16', '10.2.0.0', false],
  ['10.1.0.0/16,192.168.7.0/24', '192.168.7.9', true],
  ['fd00::/8', 'fd12::1', true],
  ['fd00::/8', '127.0.0.1', false],
  ['0.0.0.0/0', '::1', false],
])('An allowed network of %s and %s: %s', (list, address, expected) => {
  expect(isAllowedAddress(address, allowed(list))).toBe(expected);
});
