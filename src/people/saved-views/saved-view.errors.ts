import { ConflictError, NotFoundError, fact } from '../../platform/index.js';

export class ViewNotFound extends fact(NotFoundError, 'view_not_found', 'View not found.') {}

/** Somebody, or the team, has as many views as they may have. */
export class TooManyViews extends fact(
  ConflictError,
  'too_many_views',
  (max: number) => `You can have up to ${max} views. Delete one first.`,
) {}
