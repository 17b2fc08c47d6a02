import { InvalidInputError, NotFoundError, fact } from '../../../platform/index.js';

export class LogoNotFound extends fact(NotFoundError, 'logo_not_found', 'Logo not found. It may have been replaced.') {}

const LOGO_RULES = { too_large: 'must not be larger than 100 kB', not_a_picture: 'must be a PNG, JPEG or WebP image' };

export class LogoRefused extends InvalidInputError {
  constructor(field: string, code: keyof typeof LOGO_RULES) {
    const message = `${field} ${LOGO_RULES[code]}.`;
    super('logo_refused', message, [{ field, code, message }]);
  }
}

/** A mail server is set, and nobody whom its mails come from. */
export class SenderMissing extends InvalidInputError {
  constructor(field: string) {
    const message = `${field} must name the sender of the mails that go through this server.`;
    super('sender_missing', message, [{ field, code: 'required', message }]);
  }
}
