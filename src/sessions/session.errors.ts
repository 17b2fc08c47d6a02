import { NotFoundError } from '../platform/kernel/errors.js';

export class SessionNotFound extends NotFoundError {
  constructor() {
    super('session_not_found', 'Session not found.');
  }
}
