import type { SignalDefaults, SpamSignal } from '../evidence/spam-evidence.js';
import { akismet } from './akismet.js';
import { botHeaders } from './bot-headers.js';
import { disposableEmail } from './disposable-email.js';
import { emailDomain } from './email-domain.js';
import { captcha } from './captcha.js';
import { fillTime } from './fill-time.js';
import { honeypot } from './honeypot.js';
import { learned } from './learned.js';
import { links } from './links.js';
import { lists } from './lists.js';
import { origin } from './origin.js';
import { proofOfWork } from './proof-of-work.js';
import { rate } from './rate.js';
import { repetition } from './repetition.js';
import { rspamd } from './rspamd.js';
import { script } from './script.js';

/** The signals that cost no waiting, in the order in which they are shown. */
export const SIGNALS: readonly SpamSignal[] = [
  honeypot,
  fillTime,
  proofOfWork,
  origin,
  links,
  script,
  repetition,
  rate,
  botHeaders,
  disposableEmail,
];

/** All signals that a form can switch and weigh: these, and those that wait for something. */
export const SIGNAL_DEFAULTS: readonly SignalDefaults[] = [
  ...SIGNALS,
  captcha,
  emailDomain,
  lists,
  learned,
  rspamd,
  akismet,
];
