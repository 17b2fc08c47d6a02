import type { SpamEvidence } from '../../src/spam/evidence/spam-evidence.js';

/** A submission of which nothing is known. */
export const NOTHING_KNOWN: SpamEvidence = {
  form: { id: 1, accountId: 1 },
  ...{ honeypot: null, fillMs: null, proof: null, captcha: null, origin: null, isOwnPage: false, fields: [] },
  ...{ userAgent: null, acceptLanguage: null, alike: 0, fromNetwork: 0, address: '' },
};
