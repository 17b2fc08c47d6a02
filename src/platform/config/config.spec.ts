import { problemsOf } from '../../../test/support/settings.js';
import { Config } from './config.js';
import { ALL_SETTINGS } from './settings.js';

describe('Settings', () => {
  it('that are empty count as unset', () => {
    const empty = Object.fromEntries(ALL_SETTINGS.map(({ name }) => [name, '']));

    expect(Config.from(empty)).toEqual(Config.from({}));
  });

  it('have defaults that are right', () => {
    const wrong = ALL_SETTINGS.filter((setting) => setting.read() === null);
    expect(wrong).toEqual([]);
  });

  it('are refused all at once, each in a sentence that names the variable and the fix', () => {
    expect(
      problemsOf({
        PORT: 'http',
        HOST: 'a b',
        DATABASE_POOL_SIZE: 'many',
        MIGRATE: 'yes',
        LOG_LEVEL: 'loud',
        ACCOUNT_EMAIL: 'nobody',
      }),
    ).toEqual([
      'PORT must be a whole number from 0 to 65535, such as 3000.',
      'HOST must be an address such as 0.0.0.0, 127.0.0.1 or ::.',
      'DATABASE_POOL_SIZE must be a whole number of connections from 2 to 500, such as 10.',
      'MIGRATE must be on or off.',
      'ACCOUNT_EMAIL must be an email address, such as owner@example.com.',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
    ]);
  });

  it.each([
    ['PORT', ['-1', '3000.5', '65536', '1e3', '0x10']],
    ['DATABASE_POOL_SIZE', ['1', '501', '2.5']],
  ])('refuse as %s %j', (name, values) => {
    for (const value of values)
      expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(`^${name} must `)]);
  });

  it.each([
    [
      'BASE_URL',
      /^BASE_URL must be the absolute http or https address visitors use, /,
      ['forms.example.com', 'https://user:secret@example.com', 'https://example.com/?a=1', 'https://example.com/forms'],
    ],
    [
      'OIDC_ISSUER',
      /^OIDC_ISSUER must be the https issuer address /,
      [
        'http://accounts.example.com',
        'http://localhost.example.com',
        'https://user:secret@example.com',
        'https://example.com/?a=1',
      ],
    ],
    [
      'SMTP_URL',
      /^SMTP_URL must look like smtp:.* percent-encoded\.$/,
      ['smtp://a%zz:secret@mail.example.com', 'smtp://ann:100%@mail.example.com', 'smtp:'],
    ],
    [
      'DATABASE_URL',
      /^DATABASE_URL must look like mysql:.* embedded database\.$/,
      [
        'postgres://localhost/forms',
        'mysql://localhost',
        'mysql:///forms',
        'mysql://localhost/a/b',
        'mysql://localhost/forms?charset=latin1',
        'mysql://localhost/forms?ssl=maybe',
        'mysql://%zz@localhost/forms',
      ],
    ],
  ] as [string, RegExp, string[]][])('refuse as %s with %s each of %j', (name, words, values) => {
    for (const value of values)
      expect(problemsOf({ OIDC_CLIENT_ID: 'forms', [name]: value })).toEqual([expect.stringMatching(words)]);
  });
});

describe('BASE_URL', () => {
  it('follows PORT when it is not set', () => {
    expect(Config.from({ PORT: '4444' }).baseUrl).toBe('http://localhost:4444');
  });

  it.each([
    ['https://forms.example.com/', 'https://forms.example.com'],
    ['http://example.com:8080/', 'http://example.com:8080'],
  ])('%s is used as %s', (BASE_URL, used) => {
    expect(Config.from({ BASE_URL }).baseUrl).toBe(used);
  });
});

describe('OIDC_ISSUER', () => {
  const OIDC_CLIENT_ID = 'forms';

  it.each(['https://accounts.example.com', 'https://example.com/realms/a', 'http://localhost:8080'])(
    'may be %s',
    (OIDC_ISSUER) => {
      expect(Config.from({ OIDC_ISSUER, OIDC_CLIENT_ID }).oidc.issuer).toBe(OIDC_ISSUER);
    },
  );

  it('needs the id that the provider gave', () => {
    expect(problemsOf({ OIDC_ISSUER: 'https://accounts.example.com' })).toEqual([
      'OIDC_ISSUER needs OIDC_CLIENT_ID, which the provider gives to each service.',
    ]);
  });
});

describe('DATABASE_URL', () => {
  it('names a server', () => {
    const { database } = Config.from({ DATABASE_URL: 'mysql://us%40er:p%2Fw@db.example.com/forms' });

    expect(database).toEqual({
      kind: 'server',
      host: 'db.example.com',
      port: 3306,
      user: 'us@er',
      password: 'p/w',
      name: 'forms',
      tls: false,
    });
  });

  it('may name a port, an IPv6 address and TLS', () => {
    const { database } = Config.from({ DATABASE_URL: 'mariadb://root@[::1]:3307/forms?ssl=true' });

    expect(database).toMatchObject({ host: '::1', port: 3307, password: '', tls: true });
  });
});

it('BOOTSTRAP_TOKEN is one that callers can send; another is refused without being repeated', () => {
  const token = 'AZaz09-._~+/AZaz09-._~+/==';
  expect(Config.from({ BOOTSTRAP_TOKEN: token }).bootstrapToken).toBe(token);
  const problems = problemsOf({ BOOTSTRAP_TOKEN: `${token}a` });
  expect(problems).toEqual([expect.stringMatching(/^BOOTSTRAP_TOKEN must have 24 to 255 /)]);
  expect(problems.join()).not.toContain(token);
});
