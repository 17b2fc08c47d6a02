import { NotFoundError, UnavailableError } from '../platform/kernel/errors.js';

export class FileNotFound extends NotFoundError {
  constructor() {
    super('file_not_found', 'File not found.');
  }
}

export class LinkExpired extends NotFoundError {
  constructor() {
    super('link_expired', 'This link has expired or is incomplete. Ask for a new one.');
  }
}

/** The disk takes no files; nothing was stored. */
export class FilesUnavailable extends UnavailableError {
  /** @param cause the error of the disk, for the log */
  constructor(override readonly cause?: unknown) {
    super(
      'files_unavailable',
      'We cannot store files right now. Try again later, or submit without files.',
    );
  }
}
