import { TooManyRequestsError } from '../kernel/errors.js';

/** The limits, and the message for each. */
const REASONS = {
  address: 'Too many requests are coming from your network',
  form: 'This form is getting too many submissions at the moment',
  token: 'This access token has been used for too many requests',
  session: 'You have asked for too many pages',
  failures: 'Too many requests without a valid access token came from your network',
  'sign-in': 'There were too many tries to sign in',
  'sign-in-network': 'There were too many tries to sign in from your network',
  'sign-in-person': 'There were too many tries to sign in',
  'sign-in-link': 'Too many sign-in mails were asked for',
  'sign-in-link-network': 'Too many sign-in mails were asked for from your network',
  'sign-in-link-person': 'Too many sign-in mails were asked for',
  'sign-in-code': 'There were too many tries with a code',
  invitation: 'Many invitations have been mailed to this address',
  'test-mail': 'You have sent yourself many tests of mails',
};

export type LimitName = keyof typeof REASONS;

/** A request exceeds a limit in this window. */
export class RateLimited extends TooManyRequestsError {
  constructor(name: LimitName, seconds: number) {
    super('rate_limited', `${REASONS[name]}; try again in ${seconds} seconds.`, seconds);
  }
}
