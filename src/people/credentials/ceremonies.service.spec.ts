import { relyingPartyOf } from './ceremonies.service.js';

describe('Passkeys', () => {
  it.each([
    ['https://forms.example.com', 'forms.example.com', 'https://forms.example.com'],
    ['https://forms.example.com:8443/x', 'forms.example.com', 'https://forms.example.com:8443'],
    ['http://forms.localhost', 'forms.localhost', 'http://forms.localhost'],
  ])('are kept for %s', (baseUrl, id, origin) => {
    expect(relyingPartyOf(baseUrl)).toEqual({ id, origin });
  });

  it.each([
    'http://forms.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1:3000',
    'https://192.0.2.1',
    'https://[2001:db8::1]',
  ])('are off at %s', (baseUrl) => {
    expect(relyingPartyOf(baseUrl)).toBeNull();
  });
});
