import { basin, basinCustomerio, basinForm, basinWrapped } from './basin.js';
import { flat } from './flat.js';
import type { WebhookFormat } from './format.js';
import { forminit } from './forminit.js';
import { formspree } from './formspree.js';
import { formward } from './formward.js';
import { netlify } from './netlify.js';
import { standard } from './standard.js';
import { web3forms } from './web3forms.js';

/** Bodies that a webhook can be sent, by name: ours, and those that receivers of other providers read. */
export const FORMATS = {
  standard,
  flat,
  web3forms,
  basin,
  'basin-wrapped': basinWrapped,
  'basin-customerio': basinCustomerio,
  'basin-form': basinForm,
  formspree,
  netlify,
  forminit,
  formward,
} as const satisfies Record<string, WebhookFormat>;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];
