import { ConflictError, NotFoundError, fact } from '../platform/kernel/errors.js';

export class ViewNotFound extends fact(NotFoundError, 'view_not_found', 'View not found.') {}

/** The link of a digest was altered, or is more than a year old. */
export class DigestLinkOver extends fact(
  NotFoundError,
  'digest_link_over',
  'This link has expired or is incomplete. You can also stop these emails on the page of your views.',
) {}

/** Somebody, or the team, has as many views as they may have. */
export class TooManyViews extends fact(
  ConflictError,
  'too_many_views',
  (max: number) => `You can have up to ${max} views. Delete one first.`,
) {}
