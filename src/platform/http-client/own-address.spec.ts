import os from 'node:os';
import { isAllowedAddress } from './guarded-http-client.js';

/** Public addresses that lead back to this machine, as at many hosts. */
const OWN = ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'];

beforeEach(() => {
  const eth0 = OWN.map((address) => ({ address }) as os.NetworkInterfaceInfo);
  jest.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0 });
});

it.each([...OWN, `::ffff:${OWN[0] ?? ''}`])('A public address of this machine is not called: %s', (address) => {
  expect(isAllowedAddress(address, [])).toBe(false);
});

it('A public address of another machine is called', () => {
  expect(isAllowedAddress('93.184.216.35', [])).toBe(true);
});
