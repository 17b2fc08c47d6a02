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

/** The disk has no room for files; nothing was stored. */
export class FilesUnavailable extends UnavailableError {
  constructor() {
    super('files_unavailable', 'Files cannot be stored at the moment; try again shortly.');
  }
}
