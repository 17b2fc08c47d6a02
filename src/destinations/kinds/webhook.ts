import { FORMAT_NAMES, FORMATS, type FormatName } from '../../webhooks/formats/formats.js';
import {
  SIGNATURE_NAMES,
  signatureHeaders,
  type SignatureName,
} from '../../webhooks/signatures/signatures.js';
import { parseAddress, type DestinationKind } from './kind.js';

/** Posts to any address, as the webhook of a form does: same bodies, same signatures. */
export const webhook: DestinationKind = {
  label: 'Webhook',
  settings: {
    url: {
      label: 'URL',
      max: 2_048,
      isRequired: true,
      isAddress: true,
      parse: parseAddress,
      must: 'must be an absolute http or https address',
    },
    format: { label: 'Format', max: 32, choices: FORMAT_NAMES },
    signature: { label: 'Signature', max: 32, choices: SIGNATURE_NAMES },
    secret: {
      label: 'Signing secret',
      hint: 'We make one if you leave it out.',
      max: 128,
      isSecret: true,
      isSigned: true,
      parse: (text) => (/^whsec_[A-Za-z\d+/]{32,88}={0,2}$/.test(text.trim()) ? text.trim() : null),
      must: 'must be whsec_ and base64 of 24 to 64 bytes (Standard Webhooks)',
    },
    authorization: {
      label: 'Authorization header',
      hint: 'Such as “Bearer …”, for services that ask for a key.',
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
