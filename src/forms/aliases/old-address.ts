import { decodedPart, parseUrl } from '../../platform/index.js';

/** Services whose pages can be sent here unchanged but for the host. */
export const PROVIDERS = [
  'basin',
  'formbackend',
  'formcarry',
  'forminit',
  'formspark',
  'formspree',
  'formsubmit',
  'getform',
  'netlify',
  'web3forms',
] as const;

export type Provider = (typeof PROVIDERS)[number];

/** Longest id of a provider, in characters: an email address. */
export const ALIAS_MAX = 254;

const ID = /^[\w-]+$/;
const MAIL = /^[^\s/?#@]+@[^\s/?#@]+$/;

/** How the ids of each provider look; null for one whose pages name no id. */
const IDS: Record<Provider, RegExp | null> = {
  basin: ID,
  formbackend: ID,
  formcarry: ID,
  forminit: ID,
  formspark: ID,
  /** An id, the project with the key of a form, or the address that owned the form in old pages. */
  formspree: new RegExp(`${ID.source}|^[\\w-]+/[\\w.-]+$|${MAIL.source}`),
  /** The address that gets the mails, or the text that stands for it. */
  formsubmit: new RegExp(`${MAIL.source}|^(?:el/)?[\\w-]+$`),
  getform: ID,
  netlify: null,
  web3forms: ID,
};

/** Tells whether a text can be an id of a provider. */
export function isIdOf(provider: Provider, value: string) {
  return IDS[provider]?.test(value) ?? false;
}

/** Returns an id in the spelling in which it is stored: the case of letters counts, but in an address. */
export function normaliseId(value: string) {
  return value.includes('@') ? value.toLowerCase() : value;
}

/** Returns the provider of this name; null for none. */
export function asProvider(name: string | null): Provider | null {
  return PROVIDERS.find((provider) => provider === name) ?? null;
}

/** Hosts that pages name, and the provider behind each. */
const HOSTS: Readonly<Record<string, Provider>> = {
  'usebasin.com': 'basin',
  'www.formbackend.com': 'formbackend',
  'formbackend.com': 'formbackend',
  'formcarry.com': 'formcarry',
  'forminit.com': 'forminit',
  'api.forminit.com': 'forminit',
  'submit-form.com': 'formspark',
  'api.formspark.io': 'formspark',
  'formspree.io': 'formspree',
  'www.formspree.io': 'formspree',
  'formsubmit.co': 'formsubmit',
  'getform.io': 'getform',
  'getform.com': 'getform',
  'api.web3forms.com': 'web3forms',
};

/** Parts of addresses before the id, and behind it, of all of them. */
const AROUND_ID = /^\/(?:f\/|s\/|ajax\/|submit\/?)?|(?:\.json)?\/?$/g;

/** An id of a provider. */
export interface OldId {
  provider: Provider;
  value: string;
}

/** Returns the hosts of a provider, the one that most pages name first. */
export function hostsOf(provider: Provider): string[] {
  return Object.keys(HOSTS).filter((host) => HOSTS[host] === provider);
}

/** Returns the provider of an address that a page sends to; null for any other. */
export function providerOf(address: string): Provider | null {
  const text = address.startsWith('//') ? `https:${address}` : address;
  const { hostname = '' } = parseUrl(text) ?? {};
  return Object.hasOwn(HOSTS, hostname) ? (HOSTS[hostname] ?? null) : null;
}

/** Returns the id in an address that a page sends to; null where it has none, or is of nobody known. */
export function oldIdIn(address: string): OldId | null {
  const provider = providerOf(address);
  if (provider === null) return null;
  const { pathname } = new URL(address.startsWith('//') ? `https:${address}` : address);
  const value = normaliseId(idInPath(pathname));
  return isIdOf(provider, value) ? { provider, value } : null;
}

/** Returns the id in the path of an address that a page sends to; empty where it has none. */
export function idInPath(path: string) {
  const project = /^\/p\/([^/]+)\/f\/([^/]+)\/?$/.exec(path)?.slice(1).join('/');
  return decodedPart(project ?? path.replace(AROUND_ID, ''));
}

/** First parts of the addresses of pages, of the API and of what visitors send to. An alias at the root is none of them. */
const OWN_SEGMENTS: ReadonlySet<string> = new Set([
  'account',
  'ajax',
  'api',
  'assets',
  'audit',
  'audit.csv',
  'audit.ndjson',
  'bounces',
  'brand',
  'change-forms',
  'clients',
  'confirm',
  'destinations',
  'docs',
  'docs.md',
  'el',
  'events',
  'exports',
  'f',
  'f.js',
  'f-draft.js',
  'favicon.ico',
  'files',
  'forminit',
  'forms',
  'go',
  'health',
  'inbox',
  'invitation',
  'invitations',
  'jobs',
  'llms-full.txt',
  'llms.txt',
  'mcp',
  'metrics',
  'move',
  'new-client',
  'new-destination',
  'new-form',
  'new-job',
  'new-person',
  'new-token',
  'opt-in',
  'p',
  'people',
  'proof',
  'proof-of-work.js',
  'recipients',
  'robots.txt',
  's',
  'setup',
  'sign-in',
  'sign-out',
  'spam-learning',
  'settings',
  'statistics',
  'status',
  'submissions',
  'submissions.csv',
  'submissions.ndjson',
  'submissions.xlsx',
  'submit',
  'tokens',
  'view',
  'views',
  'visitors',
]);

/** Names of scripts, one for each content. */
const HASHED = /^f\..+\.js$/i;

/** Tells whether an address begins so that is the service's own. Express ignores the case of letters. */
export function isOwnSegment(segment: string) {
  return OWN_SEGMENTS.has(segment.toLowerCase()) || HASHED.test(segment);
}
