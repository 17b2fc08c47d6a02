import { EmailDomainSignal } from '../../src/spam/email-domain/mail-domains.service.js';
import { useService } from '../support/service.js';
import { Inbox, urlencoded } from '../support/submit.js';

const service = useService({ WORKERS: 'off' });
let inbox: Inbox;
let asked: string[];
beforeEach(async () => {
  inbox = await Inbox.open(service());
  asked = [];
});

const path = () => `/api/v1/forms/${inbox.form.identifier}` as const;
const rules = (signals: object) => inbox.owner.put(`${path()}/spam`, { spam: { signals } }).expect(200);

/** Returns the parts of the verdict on what somebody with this address sends. */
async function parts(email: string, field = 'email'): Promise<{ name: string; points: number }[]> {
  const id = await inbox.accept(urlencoded([[field, email]]));
  const { body } = await inbox.owner.get(`${path()}/submissions/${id}/verdict`).expect(200);
  const { parts: found } = body as { parts: { name: string; points: number; reason: string }[] };
  return found.map(({ name, points }) => ({ name, points }));
}

describe('An address that is thrown away after use', () => {
  it.each([
    ['bob@mailinator.com', 1],
    ['bob@MAILINATOR.com', 1],
    ['bob@office.mailinator.com', 1],
    ['bob@gmail.com', 0],
    ['bob@mailinator.com.example.org', 0],
    ['I never use mailinator.com, ask bob@mailinator.com', 0],
  ])('is known: %s', async (email, count) => {
    const found = [{ name: 'disposable_email', points: 2 }];
    expect(await parts(email)).toEqual(found.slice(0, count));
  });

  it('is only for the form that goes by it', async () => {
    await rules({ disposable_email: { enabled: false } });
    expect(await parts('bob@mailinator.com')).toEqual([]);
  });
});

describe('A domain at which nobody takes mail', () => {
  const FOUND = [{ name: 'email_domain', points: 4 }];
  const refused = (code: string) => Promise.reject(Object.assign(new Error(), { code }));
  beforeEach(() => {
    service().app.get(EmailDomainSignal).resolver = {
      resolveMx: (domain) => {
        asked.push(domain);
        if (domain.startsWith('slow')) return new Promise(() => undefined);
        if (domain.startsWith('broken')) return refused('ESERVFAIL');
        if (domain.startsWith('none')) return refused('ENOTFOUND');
        return Promise.resolve([{ exchange: `mail.${domain}` }]);
      },
      resolve4: () => refused('ENOTFOUND'),
      resolve6: () => refused('ENOTFOUND'),
    };
  });

  it('is asked for only where the form says so', async () => {
    expect(await parts('bob@none1.test')).toEqual([]);
    expect(asked).toEqual([]);
    await rules({ email_domain: { enabled: true } });
    expect(await parts('ann@none1.test')).toEqual(FOUND);
    expect(asked).toEqual(['none1.test']);
  });

  it('is told from one that takes it, and from one that nobody knows about', async () => {
    await rules({ email_domain: { enabled: true } });
    expect(await parts('bob@good.test')).toEqual([]);
    expect(await parts('bob@broken.test')).toEqual([]);
    expect(await parts('bob@none2.test', 'contact')).toEqual(FOUND);
    expect(await parts('bob@nonesuch.bücher.test')).toEqual(FOUND);
    expect(asked).toContain('nonesuch.xn--bcher-kva.test');
  });

  it('is not needed to see that an address is none', async () => {
    await rules({ email_domain: { enabled: true } });
    expect(await parts('bob at work')).toEqual(FOUND);
    expect(await parts('bob at work', 'name')).toEqual([]);
    expect(await parts('')).toEqual([{ name: 'blank', points: 5 }]);
    expect(asked).toEqual([]);
  });

  it('keeps nobody waiting for a DNS that does not answer, and says nothing then', async () => {
    await rules({ email_domain: { enabled: true } });
    expect(await parts('bob@slow.test')).toEqual([]);
  });
});
