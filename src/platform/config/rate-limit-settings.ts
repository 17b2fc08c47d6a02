import { Setting, WholeNumber } from './setting.decorator.js';

/** Largest quota that can be set, in requests a minute. */
const MAX_RATE = 1_000_000_000;
const UNIT = 'requests a minute';

/** Holds the settings of rate limits, in requests a minute; 0 stands for no limit. */
export class RateLimitSettings {
  /** Requests of one address without a token: submissions, pages and file links. */
  @Setting('RATE_LIMIT_ADDRESS')
  @WholeNumber(0, MAX_RATE, UNIT, 1_200)
  readonly address: number = 1_200;

  /** Submissions to one form. */
  @Setting('RATE_LIMIT_FORM')
  @WholeNumber(0, MAX_RATE, UNIT, 30_000)
  readonly form: number = 30_000;

  /** Requests with one API token. */
  @Setting('RATE_LIMIT_TOKEN')
  @WholeNumber(0, MAX_RATE, UNIT, 6_000)
  readonly token: number = 6_000;

  /** Requests of one session: pages, and what their scripts ask for. */
  @Setting('RATE_LIMIT_SESSION')
  @WholeNumber(0, MAX_RATE, UNIT, 1_200)
  readonly session: number = 1_200;

  /** Requests to the API of one address without a valid API token. */
  @Setting('RATE_LIMIT_FAILURES')
  @WholeNumber(0, MAX_RATE, UNIT, 300)
  readonly failures: number = 300;

  /** Attempts to sign in as one person from one address; as all people from there three times as many. */
  @Setting('RATE_LIMIT_SIGN_IN')
  @WholeNumber(0, MAX_RATE, UNIT, 10)
  readonly signIn: number = 10;

  /** Sign-in mails to one address that one address asks for. */
  @Setting('RATE_LIMIT_SIGN_IN_LINKS')
  @WholeNumber(0, MAX_RATE, 'mails in 15 minutes', 5)
  readonly signInLinks: number = 5;
}
