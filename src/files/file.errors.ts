import { NotFoundError, UnavailableError } from '../platform/kernel/errors.js';

export class FileNotFound extends NotFoundError {
  constructor() {
    super('file_not_found', 'There is no such file.');
  }
}

export class LinkExpired extends NotFoundError {
  constructor() {
    super('link_expired', 'This link has expired or is incomplete.');
  }
}

/** The disk takes no files; nothing was stored. */
export class FilesUnavailable extends UnavailableError {
  /** @param cause the error of the disk, for the log */
  constructor(override readonly cause?: unknown) {
    super(
      'files_unavailable',
      'Files cannot be stored at the moment; try again later, or send the form without them.',
    );
  }
}
