import { cutAt } from '../../platform/kernel/text/beginning.js';
import { finalBy, objectIn, refusedIn, waiting } from './answers.js';
import { jsonCall, type DestinationKind, ADDRESS } from './kind.js';
import { plainText, summaryOf } from './summary.js';

const ANSWER_MAX = 1_000;
const ROOM = 3_000;
/** Longest message, in characters. */
const TEXT_MAX = 4_096;

/** Writes to a chat, a group or a channel as a bot of Telegram. */
export const telegram: DestinationKind = {
  host: 'api.telegram.org',
  settings: {
    token: {
      max: 255,
      isRequired: true,
      isSecret: true,
      parse: (text) => (/^\d+:[\w-]{30,}$/.test(text.trim()) ? text.trim() : null),
      must: 'must look like 123456789:AAExample…, as @BotFather shows it',
    },
    chat: {
      max: 100,
      isRequired: true,
      parse: (text) => (/^(-?\d{1,20}|@\w{4,})$/.test(text.trim()) ? text.trim() : null),
      must: 'must be the number of a chat, such as -1001234567890, or the @name of a channel',
    },
    server: ADDRESS,
  },
  request: (full, { token = '', chat = '', server = 'https://api.telegram.org' }, extras) =>
    jsonCall(`${server.replace(/(?<!\/)\/+$/, '')}/bot${token}/sendMessage`, {
      chat_id: chat,
      text: cutAt(plainText(summaryOf(full, extras, ANSWER_MAX, ROOM)), TEXT_MAX - 1),
      link_preview_options: { is_disabled: true },
    }),
  read: (ended) => {
    const { ok, parameters } = objectIn(ended.answer);
    const asked = (parameters as { retry_after?: unknown } | undefined)?.retry_after;
    return finalBy(
      waiting(
        refusedIn(ended, () => ok === true),
        asked,
      ),
    );
  },
};
