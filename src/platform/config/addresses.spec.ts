import { parseClamdAddress } from './addresses.js';

describe('The address of clamd', () => {
  it.each([
    ['tcp://clamav:3310', { host: 'clamav', port: 3310 }],
    ['tcp://clamav', { host: 'clamav', port: 3310 }],
    ['127.0.0.1:13310', { host: '127.0.0.1', port: 13_310 }],
    ['tcp://[::1]:3310', { host: '::1', port: 3310 }],
    ['unix:/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
    ['/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
  ])('can be %s', (text, address) => {
    expect(parseClamdAddress(text)).toEqual(address);
  });

  it.each([
    'clamav',
    'tcp://',
    'tcp://clamav:0',
    'tcp://clamav:70000',
    'http://clamav:3310',
    'unix:clamd.ctl',
    '/run/clamav/',
    '/',
  ])('cannot be %s', (text) => {
    expect(parseClamdAddress(text)).toBeNull();
  });
});
