import { cpuMs } from '../../../../test/support/cpu-time.js';
import { letsRobotFetch } from './fetch-page.js';

const lets = (text: string, path = '/contact') => letsRobotFetch(text, new URL(path, 'https://example.com'));

describe('robots.txt', () => {
  it.each([
    ['', true],
    ['User-agent: *\nDisallow:', true],
    ['User-agent: *\nDisallow: /', false],
    ['User-agent: *\nDisallow: /private', true],
    ['User-agent: Googlebot\nDisallow: /', true],
    ['User-agent: Googlebot\nUser-agent: *\nDisallow: /contact', false],
    ['User-agent: *\nDisallow: /\nAllow: /contact', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: Form-Collection-Service/1\nAllow: /', true],
    ['User-agent: form-collection-service\nDisallow: /\n\nUser-agent: *\nAllow: /', false],
    ['User-agent: *\nDisallow: /*act$', false],
    ['User-agent: *\nDisallow: /con$', true],
    ['User-agent: *\r\nDisallow: /c*t # all of it', false],
  ])('%j lets us fetch /contact: %s', (text, expected) => {
    expect(lets(text)).toBe(expected);
  });

  it('takes little time for a long rule', () => {
    const begin = cpuMs();
    lets(`User-agent: *\nDisallow: /${'*a'.repeat(20_000)}$`, `/${'a'.repeat(8_000)}b`);
    expect(cpuMs() - begin).toBeLessThan(500);
  });
});
