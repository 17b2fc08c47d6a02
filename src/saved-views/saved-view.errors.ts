import { ConflictError, NotFoundError } from '../platform/kernel/errors.js';

export class ViewNotFound extends NotFoundError {
  constructor() {
    super('view_not_found', 'There is no such view.');
  }
}

/** Somebody, or the team, has as many views as they may have. */
export class TooManyViews extends ConflictError {
  constructor(max: number) {
    super('too_many_views', `At most ${max} views are kept; delete one first.`);
  }
}
