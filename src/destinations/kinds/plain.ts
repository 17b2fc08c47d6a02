import { finalBy } from './answers.js';
import { SECRET_ADDRESS, type DestinationKind } from './kind.js';
import { fitting, plainText, summaryOf } from './summary.js';

const ANSWER_MAX = 500;
const ROOM = 3_000;
/** Largest message of ntfy, in bytes. */
const MESSAGE_MAX = 4_096;
/** Characters of an encoded word: as base64 of UTF-8 they have at most the 63 that it has room for. */
const WORD = /.{1,11}/gsu;

/** Posts plain text with a title, as ntfy and its kin take it. */
export const plain: DestinationKind = {
  settings: {
    url: SECRET_ADDRESS,
    token: {
      max: 1_000,
      isSecret: true,
      parse: (text) => (/^[\x21-\x7e]+$/.test(text.trim()) ? text.trim() : null),
      must: 'must have visible ASCII characters only',
    },
  },
  request: (full, { url = '', token }, extras) =>
    fitting(MESSAGE_MAX, ROOM, (room) => {
      const summary = summaryOf(full, extras, ANSWER_MAX, room);
      return {
        url,
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          title: encodedWords(summary.title),
          click: summary.page,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: plainText({ ...summary, title: '' }).trimStart(),
      };
    }),
  read: finalBy,
};

/** Writes a text as a header takes it: as encoded words (RFC 2047) unless it is ASCII. */
function encodedWords(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return Array.from(text.matchAll(WORD), ([part]) => {
    return `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`;
  }).join(' ');
}
