import { NotFoundError } from '../shared/errors.js';

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
