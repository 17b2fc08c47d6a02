import { FORMAT_NAMES, FORMATS, type FormatName } from '../../webhooks/formats/formats.js';
import {
  SIGNATURE_NAMES,
  signatureHeaders,
  type SignatureName,
} from '../../webhooks/signatures/signatures.js';
import { ADDRESS, type DestinationKind, finalBy, SECRET_ADDRESS } from './kind.js';
import { fitting, plainText, summaryOf } from './summary.js';

/** Posts to any address, as the webhook of a form does: same bodies, same signatures. */
export const webhook: DestinationKind = {
  settings: {
    url: { ...ADDRESS, isRequired: true },
    format: { max: 32, choices: FORMAT_NAMES },
    signature: { max: 32, choices: SIGNATURE_NAMES },
    secret: {
      max: 128,
      isSecret: true,
      isSigned: true,
      parse: (text) => (/^whsec_[A-Za-z\d+/]{32,88}={0,2}$/.test(text.trim()) ? text.trim() : null),
      must: 'must be whsec_ and base64 of 24 to 64 bytes (Standard Webhooks)',
    },
    authorization: {
      max: 2_000,
      isSecret: true,
      parse: (text) => (/^[\x20-\x7e]+$/.test(text.trim()) ? text.trim() : null),
      must: 'must have ASCII characters only',
    },
  },
  request: (full, settings, { id, now, fileLinks }) => {
    const { url = '', secret = '', authorization } = settings;
    const format = FORMATS[(settings.format ?? 'standard') as FormatName];
    const { text: body, contentType, headers } = format(full, { fileLinks });
    const signature = (settings.signature ?? 'standard') as SignatureName;
    return {
      url,
      headers: {
        ...headers,
        'content-type': contentType,
        ...signatureHeaders(signature, id, now, body, [secret]),
        ...(authorization !== undefined && { authorization }),
      },
      body,
    };
  },
};

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
