import { basin } from './basin.js';
import { csv } from './csv.js';
import { formcarry } from './formcarry.js';
import { formspark } from './formspark.js';
import { formspree } from './formspree.js';
import { getform } from './getform.js';
import { ndjson } from './ndjson.js';
import { netlify } from './netlify.js';
import type { Provider } from './provider.js';
import { web3forms } from './web3forms.js';

/** The providers whose exports we read, by their name in requests. */
export const PROVIDERS = {
  formspree,
  netlify,
  basin,
  formcarry,
  formspark,
  getform,
  web3forms,
  ndjson,
  csv,
} satisfies Record<string, Provider>;

export type ProviderName = keyof typeof PROVIDERS;

export const PROVIDER_NAMES = Object.keys(PROVIDERS) as ProviderName[];
