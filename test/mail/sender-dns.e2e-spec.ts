import os from 'node:os';
import { InstanceDto } from '../../src/operations/doctor/instance.dto.js';
import { DoctorService } from '../../src/operations/doctor/doctor.service.js';
import type { Finding } from '../../src/operations/doctor/check.js';
import { createTables, type TestDatabase } from '../support/database.js';
import { NameServer } from '../support/dns.js';
import { Service } from '../support/service.js';
import { MailServer } from '../support/smtp.js';

const names = new NameServer();
const mails = new MailServer();
let database: TestDatabase;
let service: Service | undefined;
beforeAll(async () => {
  database = await createTables();
  await Promise.all([names.start(), mails.start()]);
});
beforeEach(() => {
  Object.assign(names, { records: [], failing: [], silent: [], asked: [] });
  jest.spyOn(os, 'networkInterfaces').mockReturnValue({});
});
afterEach(async () => {
  await service?.close();
  service = undefined;
});
afterAll(async () => {
  names.stop();
  await mails.stop();
  await database.drop();
});

const NAMES = ['MX', 'SPF', 'DKIM', 'DMARC', 'PTR'];

/** Looks at the DNS of the sender forms@example.com. @returns the findings by name */
async function look(settings: Record<string, string> = {}): Promise<Record<string, Finding>> {
  await service?.close();
  service = await Service.start({
    ...database.settings,
    WORKERS: 'off',
    BASE_URL: 'https://forms.example.com',
    MAIL_FROM: 'forms@example.com',
    SMTP_URL: mails.url,
    DNS_SERVERS: names.address,
    ...settings,
  });
  const findings = await service.app.get(DoctorService).examine();
  const ours = findings.filter(({ name }) => NAMES.includes(name));
  return Object.fromEntries(ours.map((finding) => [finding.name, finding]));
}

const RIGHT: NameServer['records'] = [
  'example.com MX mail.example.com',
  'example.com TXT some-other-text',
  'example.com TXT v=spf1 ip4:198.51.100.0/24 -all',
  'mail._domainkey.example.com TXT v=DKIM1; k=rsa; p=MIGfMA0',
  '_dmarc.example.com TXT v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com',
  'forms.example.com A 198.51.100.7',
  '7.100.51.198.in-addr.arpa PTR forms.example.com',
];

/** Takes records away, by their beginning, and adds others. */
const change = (without: string, ...others: NameServer['records']) => {
  names.records = [...RIGHT.filter((line) => !line.startsWith(without)), ...others];
};

describe('The DNS of the sender', () => {
  it('is all right with a mail server on this machine', async () => {
    names.records = RIGHT;

    const found = await look();

    expect(Object.values(found).map(({ name, state }) => [name, state])).toEqual(NAMES.map((name) => [name, 'ok']));
    expect(found.MX?.detail).toBe('example.com receives email at mail.example.com.');
    expect(found.SPF?.detail).toBe('The SPF record of example.com allows this machine (198.51.100.7).');
    expect(found.DKIM?.detail).toBe('example.com has a DKIM key: mail.');
    expect(found.DMARC?.detail).toMatch(/^The DMARC policy of example.com is p=quarantine\./);
    expect(found.PTR?.detail).toBe('198.51.100.7 is forms.example.com, and back.');
  });

  it('is not asked for while mails are not sent, nor for a sender without a domain', async () => {
    expect(await look({ SMTP_URL: '' })).toEqual({});
    expect(await look({ MAIL_FROM: '', BASE_URL: 'http://127.0.0.1:1' })).toEqual({});
    expect(names.asked).toEqual([]);
  });

  it('that has nothing comes with the records to add', async () => {
    names.records = ['forms.example.com A 198.51.100.7'];

    const found = await look();

    expect(Object.values(found).every(({ state }) => state === 'warning')).toBe(true);
    expect(Object.values(found).flatMap(({ records }) => records)).toEqual([
      { name: 'example.com.', type: 'TXT', value: 'v=spf1 ip4:198.51.100.7 ~all' },
      { name: '_dmarc.example.com.', type: 'TXT', value: 'v=DMARC1; p=none' },
      { name: '7.100.51.198.in-addr.arpa.', type: 'PTR', value: 'forms.example.com.' },
    ]);
  });

  it('is shown to operators by the API', async () => {
    names.records = ['forms.example.com A 198.51.100.7'];
    const { SPF } = await look();
    if (!SPF) throw new Error('not found');
    const { instance } = InstanceDto.of({
      findings: [SPF],
      accounts: [],
      disk: {},
      backlog: {},
    } as unknown as Parameters<typeof InstanceDto.of>[0]);

    expect(instance.findings[0]?.records).toEqual(SPF.records);
  });
});

it.each([
  ['that is missing', [], 'so bounces and replies are lost'],
  ['that is missing, with an address', ['example.com A 198.51.100.7'], 'go to the host itself'],
  ['that refuses email', ['example.com MX .'], 'accepts no email'],
] as const)('MX %s is a warning', async (_, others, words) => {
  change('example.com MX', ...others);

  const { MX } = await look();

  expect(MX).toMatchObject({ state: 'warning', detail: expect.stringContaining(words) });
});

describe('SPF', () => {
  const spf = (...others: NameServer['records']) => {
    change('example.com TXT v=spf1', ...others);
  };

  it.each([
    ['a network', ['example.com TXT v=spf1 ip4:198.51.100.0/29 ~all']],
    ['the host itself', ['example.com TXT v=spf1 a:forms.example.com -all']],
    ['its mail server', ['example.com TXT v=spf1 mx/24 -all', 'mail.example.com A 198.51.100.1']],
    ['an include', ['example.com TXT v=spf1 include:a.test -all', 'a.test TXT v=spf1 ip4:198.51.100.7 -all']],
    ['a redirect', ['example.com TXT v=spf1 redirect=a.test', 'a.test TXT v=spf1 +a:forms.example.com']],
  ] as const)('that allows this machine by %s is right', async (_, others) => {
    spf(...others);
    expect((await look()).SPF?.state).toBe('ok');
  });

  it.each([
    ['another address', ['example.com TXT v=spf1 ip4:198.51.100.8 -all']],
    ['an address that is refused first', ['example.com TXT v=spf1 -a:forms.example.com ip4:198.51.100.7 -all']],
    ['an include that only refuses', ['example.com TXT v=spf1 include:a.test -all', 'a.test TXT v=spf1 -all']],
  ] as const)('that has %s does not cover it', async (_, others) => {
    spf(...others);
    expect((await look()).SPF).toMatchObject({
      state: 'warning',
      detail: 'The SPF record of example.com does not allow this machine (198.51.100.7).',
      records: [{ value: expect.stringMatching(/^v=spf1 ip4:198\.51\.100\.7 .*-all$/) }],
    });
  });

  it('with two records is a warning, and one record takes their place', async () => {
    spf('example.com TXT v=spf1 include:a.test ~all', 'example.com TXT v=spf1 mx -all');

    expect((await look()).SPF).toMatchObject({
      state: 'warning',
      detail: 'example.com has 2 SPF records, and receivers accept one.',
      records: [{ value: 'v=spf1 ip4:198.51.100.7 include:a.test mx ~all' }],
    });
  });

  it('takes ten lookups, and no more', async () => {
    const chain = (length: number) =>
      Array.from(
        { length },
        (_, n) => `${n}.test TXT v=spf1 ${n + 1 < length ? `include:${n + 1}.test` : 'ip4:198.51.100.7'}` as const,
      );
    spf('example.com TXT v=spf1 include:0.test -all', ...chain(10));
    expect((await look()).SPF?.state).toBe('ok');

    spf('example.com TXT v=spf1 include:0.test -all', ...chain(11));
    expect((await look()).SPF).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('more than 10 DNS lookups'),
    });
  });

  it('of a known provider must have its include, which joins what is there', async () => {
    const SMTP_URL = 'smtp://email-smtp.eu-west-1.amazonaws.com:1';
    spf('example.com TXT v=spf1 mx -all');
    expect((await look({ SMTP_URL })).SPF).toMatchObject({
      state: 'warning',
      records: [{ value: 'v=spf1 include:amazonses.com mx -all' }],
    });

    spf('example.com TXT v=spf1 include:amazonses.com -all', 'amazonses.com TXT v=spf1 -all');
    const found = await look({ SMTP_URL });
    expect(found.SPF).toMatchObject({ state: 'ok', detail: expect.stringContaining('cannot be known in advance') });
    expect(found.PTR).toBeUndefined();
  });

  it('that depends on each mail cannot be known', async () => {
    spf('example.com TXT v=spf1 exists:%{i}.a.test -all');
    expect((await look()).SPF).toMatchObject({ state: 'ok', detail: expect.stringContaining('cannot be known') });
  });
});

it('DKIM is looked for under DKIM_SELECTOR, else under usual names', async () => {
  change('mail._domainkey', 's9._domainkey.example.com TXT v=DKIM1; p=MIGfMA0');
  expect((await look()).DKIM).toMatchObject({
    state: 'warning',
    detail: expect.stringMatching(/Tried default, .* Set DKIM_SELECTOR/),
  });
  expect((await look({ DKIM_SELECTOR: 's9' })).DKIM?.state).toBe('ok');

  change('mail._domainkey', 's9._domainkey.example.com TXT v=DKIM1; p=');
  expect((await look({ DKIM_SELECTOR: 's9' })).DKIM).toMatchObject({
    state: 'warning',
    detail: expect.stringContaining('s9._domainkey.example.com has no DKIM key'),
  });
});

describe('DMARC', () => {
  it('of the domain above counts, with its policy for those below', async () => {
    change('_dmarc', '_dmarc.example.com TXT v=DMARC1; p=reject; sp=none');
    expect((await look({ MAIL_FROM: 'a@forms.example.com' })).DMARC).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('The DMARC policy of forms.example.com from example.com is p=none.'),
    });
  });

  it('with two records, or without a policy, is a warning', async () => {
    change('none', '_dmarc.example.com TXT v=DMARC1; p=none');
    expect((await look()).DMARC?.detail).toContain('has 2 DMARC records');

    change('_dmarc', '_dmarc.example.com TXT v=DMARC1; rua=mailto:a@example.com');
    expect((await look()).DMARC).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('no valid policy'),
    });
  });

  it('of a further domain is met by DKIM alone', async () => {
    change('none', '_dmarc.example.org TXT v=DMARC1; p=reject');
    const { DMARC, DKIM, MX } = await look({ MAIL_FROM_DOMAINS: 'example.org' });
    expect(DMARC?.detail).toContain('Only a DKIM signature of example.org satisfies it');
    for (const found of [DKIM, MX]) {
      expect(found).toMatchObject({ state: 'warning', detail: expect.stringContaining('example.org') });
    }
  });
});

describe('PTR', () => {
  it('that does not lead back, or is missing, is a warning', async () => {
    change('7.100', '7.100.51.198.in-addr.arpa PTR other.example.com', 'other.example.com A 198.51.100.9');
    expect((await look()).PTR?.detail).toContain('does not lead back');

    change('7.100');
    expect((await look()).PTR).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('has no name (PTR)'),
      records: [{ name: '7.100.51.198.in-addr.arpa.', value: 'forms.example.com.' }],
    });
  });

  it('is looked for by the addresses of the machine where it has public ones', async () => {
    const address = '2a00:1450:4001::7';
    const about = { address, family: 'IPv6', internal: false } as os.NetworkInterfaceInfo;
    jest.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: [about] });
    names.records = RIGHT;

    const { SPF, PTR } = await look();

    expect(SPF?.records).toMatchObject([{ value: expect.stringContaining(`ip6:${address}`) }]);
    expect(PTR?.records).toMatchObject([{ name: expect.stringMatching(/^7\.0\.0\.0\..*\.2\.ip6\.arpa\.$/) }]);
  });
});

describe('DNS that does not answer', () => {
  it('is a warning that says so, not that something is missing', async () => {
    names.records = RIGHT;
    names.failing = ['example.com', '_dmarc.example.com', 'mail._domainkey.example.com'];

    const { MX, SPF, DMARC } = await look();

    for (const found of [MX, SPF, DMARC]) {
      expect(found).toMatchObject({
        state: 'warning',
        detail: expect.stringMatching(/^DNS failed to answer for .* \(ESERVFAIL\)\./),
        records: [],
      });
    }
  });

  it('is waited for five seconds', async () => {
    names.records = RIGHT;
    names.silent = ['_dmarc.example.com'];

    const { DMARC, SPF } = await look();

    expect(DMARC).toMatchObject({
      state: 'warning',
      detail: expect.stringMatching(/^DNS did not answer in 5 s when asked for _dmarc.example.com\./),
      records: [],
    });
    expect(SPF?.state).toBe('ok');
  });
});
