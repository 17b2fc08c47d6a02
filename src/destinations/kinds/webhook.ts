import { FORMAT_NAMES, FORMATS, type FormatName } from '../../webhooks/formats/formats.js';
import {
  SIGNATURE_NAMES,
  signatureHeaders,
  type SignatureName,
} from '../../webhooks/signatures/signatures.js';
import { ADDRESS, type DestinationKind } from './kind.js';

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
