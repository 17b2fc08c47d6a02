import type { SpamSignal } from '../evidence/spam-evidence.js';

/** Every browser names a language; libraries send nothing, or `*`. */
const LANGUAGE = /[a-z]/i;

/** Says that a program says it is a browser, but does not send what every browser sends. */
export const botHeaders: SpamSignal = {
  name: 'bot_headers',
  points: 3,
  enabled: true,
  look: ({ userAgent, acceptLanguage }, settings) =>
    userAgent?.startsWith('Mozilla/') === true && !LANGUAGE.test(acceptLanguage ?? '')
      ? settings.part('bot_headers', 'It claims to come from a browser but does not behave like one.')
      : null,
};
