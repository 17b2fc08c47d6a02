import { ConflictError, NotFoundError } from '../platform/kernel/errors.js';

export class ViewNotFound extends NotFoundError {
  constructor() {
    super('view_not_found', 'View not found.');
  }
}

/** The link of a digest was altered, or is more than a year old. */
export class DigestLinkOver extends NotFoundError {
  constructor() {
    super(
      'digest_link_over',
      'This link has expired or is incomplete. You can also stop these emails on the page of your views.',
    );
  }
}

/** Somebody, or the team, has as many views as they may have. */
export class TooManyViews extends ConflictError {
  constructor(max: number) {
    super('too_many_views', `You can have up to ${max} views. Delete one first.`);
  }
}
