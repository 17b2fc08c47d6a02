import { InvalidInputError } from '../../../platform/index.js';

/** The text has no forms that could be made here. */
export class UnreadableMove extends InvalidInputError {
  constructor(message: string) {
    super('unreadable_move', message, [{ field: 'move.content', code: 'unreadable_move', message }]);
  }
}
