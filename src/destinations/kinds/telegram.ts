import type { AttemptResult } from '../../deliveries/model/outcome.js';
import { cutAt } from '../../platform/index.js';
import {
  finalBy,
  objectIn,
  refusedIn,
  waiting,
  jsonCall,
  type DestinationKind,
  ADDRESS,
  plainText,
  summaryOf,
} from './kind.js';

const ANSWER_MAX = 1_000;
const ROOM = 3_000;
/** Longest message, in characters. */
const TEXT_MAX = 4_096;

/** Writes to a chat, a group or a channel as a bot of Telegram. */
export const telegram: DestinationKind = {
  label: 'Telegram',
  hint: 'Make a bot with @BotFather, add it to your chat and copy its token.',
  host: 'api.telegram.org',
  settings: {
    token: {
      label: 'Token',
      max: 255,
      isRequired: true,
      isSecret: true,
      pattern: /^\d+:[\w-]{30,}$/,
      must: 'must look like 123456789:AAExample…, as @BotFather shows it',
    },
    chat: {
      label: 'Chat',
      hint: 'Its number, such as -1001234567890, or the @name of a public channel.',
      max: 100,
      isRequired: true,
      pattern: /^(-?\d{1,20}|@\w{4,})$/,
      must: 'must be the number of a chat, such as -1001234567890, or the @name of a channel',
    },
    server: { ...ADDRESS, label: 'Server', hint: 'Only if you run a Bot API server of your own.' },
  },
  request: (full, { token = '', chat = '', server = 'https://api.telegram.org' }, extras) =>
    jsonCall(`${server.replace(/(?<!\/)\/+$/, '')}/bot${token}/sendMessage`, {
      chat_id: chat,
      text: cutAt(plainText(summaryOf(full, extras, ANSWER_MAX, ROOM)), TEXT_MAX - 1),
      link_preview_options: { is_disabled: true },
    }),
  /** A group gets another number when it becomes a supergroup. */
  moved: (ended) => {
    const { migrate_to_chat_id: chat } = parametersIn(ended);
    return Number.isSafeInteger(chat) ? { chat: String(chat) } : null;
  },
  read: (ended) => {
    const isTaken = objectIn(ended.answer).ok === true;
    const { retry_after: asked } = parametersIn(ended);
    const refused = refusedIn(ended, () => isTaken);
    return finalBy(waiting(refused, asked));
  },
};

/** Returns how an answer says that a call can be mended (ResponseParameters of the Bot API). */
function parametersIn({ answer }: AttemptResult) {
  const { parameters } = objectIn(answer);
  return typeof parameters === 'object' && parameters !== null ? (parameters as Record<string, unknown>) : {};
}
