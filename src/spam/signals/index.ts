import type { SignalDefaults, SpamSignal } from '../evidence/spam-evidence.js';
import { disposableEmail } from './disposable-email.js';
import { fillTime } from './fill-time.js';
import { links } from './links.js';
import { origin } from './origin.js';
import { proofOfWork } from './proof-of-work.js';
import { script } from './script.js';

/** Says that a field was filled in that people do not see. */
export const honeypot: SpamSignal = {
  name: 'honeypot',
  points: 10,
  enabled: true,
  look: ({ honeypot: name }, settings) =>
    name === null ? null : settings.part('honeypot', `The honeypot field "${name}" was filled in.`),
};

/** Says that nearly the same text came lately. */
export const repetition: SpamSignal = {
  name: 'repetition',
  points: 4,
  enabled: true,
  look: ({ alike }, settings) =>
    alike === 0
      ? null
      : settings.part(
          'repetition',
          alike === 1
            ? 'Almost the same text arrived once before within a day.'
            : `Almost the same text arrived ${alike} times before within a day.`,
        ),
};

/** So many submissions from one network within ten minutes are nothing special: an office, a class. */
const USUAL_FROM_NETWORK = 10;

/** Says that much came from the same network lately. */
export const rate: SpamSignal = {
  name: 'rate',
  points: 2,
  enabled: true,
  supports: true,
  look: ({ fromNetwork }, settings) =>
    fromNetwork < USUAL_FROM_NETWORK
      ? null
      : settings.part(
          'rate',
          `${fromNetwork} other submissions from the same network in 10 minutes.`,
        ),
};

/** Every browser names a language; libraries send nothing, or `*`. */
const LANGUAGE = /[a-z]/i;

/** Says that a program says it is a browser, but does not send what every browser sends. */
export const botHeaders: SpamSignal = {
  name: 'bot_headers',
  points: 3,
  enabled: true,
  look: ({ userAgent, acceptLanguage }, settings) =>
    userAgent?.startsWith('Mozilla/') === true && !LANGUAGE.test(acceptLanguage ?? '')
      ? settings.part(
          'bot_headers',
          'It claims to come from a browser but does not behave like one.',
        )
      : null,
};

/** Says that the captcha that a form shows was not solved; without a captcha it says nothing. */
export const captcha: SignalDefaults = { name: 'captcha', points: 5, enabled: true };

/** Says that nobody can answer by mail; `spam/email-domain` asks the DNS, so it is off by default. */
export const emailDomain: SignalDefaults = { name: 'email_domain', points: 4, enabled: false };

/** Says that the form blocks something in it, or allows who sent it; `spam/lists` looks them up. */
export const lists: SignalDefaults & { again: true } = {
  name: 'lists',
  points: 10,
  enabled: true,
  again: true,
};

/** Says that its words are those of what was marked as spam; `spam/learning` asks what was learnt. */
export const learned: SignalDefaults & { again: true } = {
  name: 'learned',
  points: 6,
  enabled: true,
  again: true,
};

/** Says that the operator's rspamd takes it for spam; `spam/external` asks, so it is off by default. */
export const rspamd: SignalDefaults = { name: 'rspamd', points: 6, enabled: false };

/** Says that Akismet takes it for spam; it is told what was sent, so it is off by default. */
export const akismet: SignalDefaults = { name: 'akismet', points: 6, enabled: false };

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
