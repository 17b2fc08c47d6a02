import type { Provider } from '../../forms/aliases/old-address.js';
import type { RawSubmission, Roles, Success } from '../model/special-fields.js';
import { SUBMIT_ROUTE } from '../../platform/http/http-adapter.js';

/** An address that a provider's pages send to. */
export interface DialectPath {
  /** In Express's spelling, for logs and metrics. */
  route: string;
  /** Its groups are the parts of the id; without one the id is in a field of the role `key`. */
  pattern: RegExp;
  /** Answers JSON, whatever the client accepts. */
  isJson?: boolean;
}

/** A failure, as each provider words it in its own keys. */
export interface Failure {
  status: number;
  code: string;
  message: string;
  errors: { field: string | null; code: string; message: string }[];
}

/**
 * How pages speak that were made for a provider. What a dialect does not say is as for our own pages. Fields that name
 * recipients, webhooks or templates are left out and never obeyed: anybody can send them.
 */
export interface Dialect {
  provider: Provider;
  paths: readonly DialectPath[];
  roles: Roles;
  /** Brings what was sent into names and values. */
  read?(sent: RawSubmission): RawSubmission;
  /** Returns the body of a success, for scripts. */
  success?(success: Success): object;
  /** Returns the body of a failure, for scripts. */
  failure?(failure: Failure): object;
}

/** `/f/:id`, which several providers share with us. */
export const F_PATH: DialectPath = { route: SUBMIT_ROUTE.route, pattern: SUBMIT_ROUTE.path };
/** `/:id`, which is nobody's while it is an address of our own. */
export const ROOT_PATH: DialectPath = { route: '/:alias', pattern: /^\/([^/]+)\/?$/s };
