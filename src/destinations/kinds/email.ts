import { commaList } from '../../platform/kernel/text/comma-list.js';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import type { DestinationKind } from './kind.js';

/** Most addresses of one setting: each submission sends a mail to every one. */
const ADDRESSES_MAX = 10;
const LIST_MAX = 2_600;

const ADDRESSES = {
  max: LIST_MAX,
  parse: (text: string) => {
    const read = commaList(text).map((address) => parseEmailAddress(address));
    return read.length <= ADDRESSES_MAX && !read.includes(null) ? read.join(',') : null;
  },
  must: `must be up to ${ADDRESSES_MAX} email addresses, separated by commas`,
};

/** Sends a mail to people whom the owner names, never to an address that a visitor typed. */
export const email: DestinationKind = {
  settings: {
    to: { ...ADDRESSES, isRequired: true },
    cc: ADDRESSES,
    bcc: ADDRESSES,
    reply_to: { max: 255 },
    subject: { max: 255 },
    body: { max: 10_000, isLong: true },
    files: { max: 16, choices: ['links', 'attached'] },
  },
  request: null,
};
