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
export function isIdOf(provider: Provider, value: string): boolean {
  return IDS[provider]?.test(value) ?? false;
}

/** Returns an id in the spelling in which it is stored: the case of letters counts, but in an address. */
export function normaliseId(value: string): string {
  return value.includes('@') ? value.toLowerCase() : value;
}

/** Returns the provider of this name; null for none. */
export function asProvider(name: string | null): Provider | null {
  return PROVIDERS.find((provider) => provider === name) ?? null;
}
