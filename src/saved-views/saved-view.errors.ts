import { ConflictError, NotFoundError } from '../platform/kernel/errors.js';

export class ViewNotFound extends NotFoundError {
  constructor() {
    super('view_not_found', 'There is no such view.');
  }
}

/** The link of a digest was altered, or is more than a year old. */
export class DigestLinkOver extends NotFoundError {
  constructor() {
    super(
      'digest_link_over',
      'This link has expired or is incomplete. The page of your views stops the mails too.',
    );
  }
}

/** Somebody, or the team, has as many views as they may have. */
export class TooManyViews extends ConflictError {
  constructor(max: number) {
    super('too_many_views', `At most ${max} views are kept; delete one first.`);
  }
}
