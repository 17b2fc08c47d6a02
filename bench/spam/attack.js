/**
 * Makes submissions of bots, of ten kinds, and of honest visitors in between. Each has the facts of the intake;
 * `waitMs` is how long the page was open, null for senders without a token.
 */
import { ENQUIRIES } from './enquiries.js';

/** The site that the form is on. */
const SITE = 'https://shop.test';
/** Settings of the owner of the form. */
export const PROTECTED = {
  honeypots: ['website'],
  whitelistedDomains: 'shop.test',
  block: ['casino', 'backlinks', 'pills.test'],
};
const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0';
const VISITOR = { origin: SITE, userAgent: BROWSER, acceptLanguage: 'en-GB,en', waitMs: 60_000 };

const NAMES = ['James', 'Mary', 'Robert', 'Linda', 'David', 'Susan', 'Carl', 'Nora', 'Ivan', 'Lucy'];
const GOODS = ['rye bread', 'a wedding cake', 'tarts', 'croissants', 'a birthday cake', 'pretzels'];
const TOWNS = ['Leeds', 'York', 'Bath', 'Derby', 'Ely', 'Truro', 'Wells', 'Ripon', 'Oban'];
const SERVICES = ['web design', 'copywriting', 'book keeping', 'translation', 'video editing'];
const pick = (all, n) => all[n % all.length];
const person = (n) => ({ name: pick(NAMES, n), email: `${pick(NAMES, n).toLowerCase()}${n}@mail${n}.test` });
const offer = (n) =>
  `We are a team for ${pick(SERVICES, n)} from ${pick(TOWNS, n)} and have ${n + 3} clients in ${pick(TOWNS, n * 7 + 1)} who praise us.`;

/** Makes the n-th post of each kind. */
export const KINDS = {
  'fills in every field': (n) => ({
    ...VISITOR,
    values: { ...person(n), website: `https://site${n}.test`, message: offer(n) },
  }),
  'posts without a page': (n) => ({
    ...VISITOR,
    ...{ origin: null, userAgent: 'python-requests/2.32', acceptLanguage: null, waitMs: null },
    values: { ...person(n), message: offer(n) },
  }),
  'posts from a copy of the page': (n) => ({
    ...VISITOR,
    origin: `https://copy${n}.test`,
    values: { ...person(n), message: offer(n) },
  }),
  'sends at once': (n) => ({ ...VISITOR, waitMs: 300, values: { ...person(n), message: offer(n) } }),
  'writes links as code': (n) => ({
    ...VISITOR,
    acceptLanguage: null,
    values: { ...person(n), message: `${offer(n)} [url=https://a${n}.test]here[/url]` },
  }),
  'puts a link into the name': (n) => ({
    ...VISITOR,
    values: { ...person(n), name: `Win now https://win${n}.test`, message: offer(n) },
  }),
  'says the same with other names': (n) => ({
    ...VISITOR,
    acceptLanguage: null,
    values: {
      ...person(n),
      message: `Hello ${pick(NAMES, n)}, we bring first class search engine optimisation to your website and more customers every single day, so call us.`,
    },
  }),
  'disguises its words': (n) => ({
    ...VISITOR,
    acceptLanguage: null,
    values: { ...person(n), message: `${offer(n)} Verify your pаypаl account at once.` },
  }),
  'sells what the form blocks': (n) => ({
    ...VISITOR,
    values: { ...person(n), message: `${offer(n)} Visit our casino, room ${n}.` },
  }),
  'waits, and writes like a person': (n) => ({ ...VISITOR, values: { ...person(n), message: offer(n) } }),
};

/** Makes the n-th post of an attack, with its kind. */
export function attack(n) {
  const kinds = Object.keys(KINDS);
  const kind = kinds[n % kinds.length];
  return { kind, ...KINDS[kind](Math.floor(n / kinds.length)) };
}

/** Makes what the n-th honest visitor sends. */
export function honest(n) {
  const values = ENQUIRIES[n] ?? {
    ...person(n),
    message: `Do you deliver ${pick(GOODS, n)} to ${pick(TOWNS, n)}? There will be ${n} of us on the ${(n % 28) + 1}th, and ${pick(NAMES, n + 3)} cannot eat nuts.`,
  };
  return { ...VISITOR, waitMs: 20_000 + n * 1_000, values };
}
