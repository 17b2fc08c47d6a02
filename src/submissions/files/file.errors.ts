import { ForbiddenError, NotFoundError, UnavailableError, fact } from '../../platform/index.js';

export class FileNotFound extends fact(NotFoundError, 'file_not_found', 'File not found.') {}

/** A scan found a virus, and nobody who may do that has let the file be opened. */
export class FileInfected extends fact(
  ForbiddenError,
  'file_infected',
  (virus: string) =>
    `This file is infected (${virus}). We keep it locked. If that is wrong, someone who can change the form can unlock it by marking the submission as not spam.`,
) {}

export class LinkExpired extends fact(
  NotFoundError,
  'link_expired',
  'This link has expired or is incomplete. Ask for a new one.',
) {}

/** The disk takes no files; nothing was stored. */
export class FilesUnavailable extends UnavailableError {
  /** @param cause the error of the disk, for the log */
  constructor(override readonly cause?: unknown) {
    super('files_unavailable', 'We cannot store files right now. Try again later, or submit without files.');
  }
}
