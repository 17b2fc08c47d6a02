import { TooManyRequestsError } from '../kernel/errors.js';

/** The limits, and the message for each. */
const REASONS = {
  address: 'Too many requests from your network',
  form: 'Too many submissions to this form',
  token: 'Too many requests with this API token',
  session: 'Too many page requests',
  failures: 'Too many requests without a valid API token from your network',
  'sign-in': 'Too many attempts to sign in',
  'sign-in-network': 'Too many attempts to sign in from your network',
  'sign-in-person': 'Too many attempts to sign in',
  'sign-in-link': 'Too many sign-in emails requested',
  'sign-in-link-network': 'Too many sign-in emails requested from your network',
  'sign-in-link-person': 'Too many sign-in emails requested',
  'sign-in-code': 'Too many attempts with a code',
  invitation: 'Too many invitations sent to this address',
  'test-mail': 'Too many test emails',
  'report-mail': 'This report was sent too often',
  canary: 'The canary of this form was run too often',
  'weekly-mail': 'This email was sent too often',
};

export type LimitName = keyof typeof REASONS;

/** A request exceeds a limit in this window. */
export class RateLimited extends TooManyRequestsError {
  constructor(name: LimitName, seconds: number) {
    super('rate_limited', `${REASONS[name]}. Try again in ${seconds} seconds.`, seconds);
  }
}
