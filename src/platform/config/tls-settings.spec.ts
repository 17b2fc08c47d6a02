import { problemsOf } from '../../../test/support/settings.js';
import { Config } from './config.js';

const FILES = { TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' };

describe('TLS', () => {
  it('is off by default', () => {
    const { tls, baseUrl } = Config.from({});

    expect(tls.isOn).toBe(false);
    expect(tls.httpPort).toBeUndefined();
    expect(baseUrl).toBe('http://localhost:3000');
  });

  it('with files leaves the ports as they are', () => {
    const { tls, port, baseUrl } = Config.from(FILES);

    expect(tls).toMatchObject({ isOn: true, httpPort: undefined, acmeDomains: [] });
    expect([port, baseUrl]).toEqual([3000, 'https://localhost:3000']);
  });

  it('with a domain listens to challenges, and is called by that domain', () => {
    const { tls, baseUrl } = Config.from({ ACME_DOMAIN: 'Forms.example.com, b.example.com' });

    expect(tls).toMatchObject({ isOn: true, httpPort: 80 });
    expect(tls.acmeDomains).toEqual(['forms.example.com', 'b.example.com']);
    expect(baseUrl).toBe('https://forms.example.com');
  });

  it.each([
    [{ TLS_CERT: 'c' }, 'TLS_CERT needs TLS_KEY, the PEM file of its private key.'],
    [{ TLS_KEY: 'k' }, 'TLS_KEY needs TLS_CERT, the PEM file of its certificate.'],
    [
      { ...FILES, TLS_KEY: '-----BEGIN PRIVATE KEY-----' },
      'TLS_KEY must be the path of a PEM file, and not its contents.',
    ],
    [
      { ...FILES, ACME_DOMAIN: 'forms.example.com' },
      'ACME_DOMAIN orders a certificate, and TLS_CERT names another. Remove one of the two.',
    ],
    [
      { HTTP_PORT: '80' },
      'HTTP_PORT needs TLS_CERT or ACME_DOMAIN. Without them PORT serves plain HTTP: set PORT instead.',
    ],
    [
      { ACME_DOMAIN: 'forms.example.com', PORT: '80' },
      'HTTP_PORT and PORT are both 80. Set PORT to 443 or another port.',
    ],
    [
      { ...FILES, BASE_URL: 'http://forms.example.com' },
      'BASE_URL must begin with https://, because PORT serves TLS with TLS_CERT or ACME_DOMAIN.',
    ],
    [
      { ACME_DIRECTORY_URL: 'http://acme.example.com' },
      'ACME_DIRECTORY_URL must be the https address of an ACME directory, such as https://acme-v02.api.letsencrypt.org/directory.',
    ],
    [{ ACME_EMAIL: 'me' }, 'ACME_EMAIL must be an email address, such as owner@example.com.'],
  ])('refuses %j with the fix', (environment, sentence) => {
    expect(problemsOf(environment)).toEqual([sentence]);
  });

  it.each(['203.0.113.7', '*.example.com', 'a,b', 'a b.c'])('refuses %s as ACME_DOMAIN', (ACME_DOMAIN) => {
    expect(problemsOf({ ACME_DOMAIN })).toEqual([
      expect.stringMatching(/^ACME_DOMAIN must be public host names separated by commas/),
    ]);
  });
});
