import { GoneError } from '../../platform/kernel/errors.js';

/** A form takes no submissions now. The message is the owner's for its visitors, or ours. */
export abstract class FormShut extends GoneError {}

export class FormPaused extends FormShut {
  constructor(message: string | null) {
    super(
      'form_paused',
      message ?? 'This form takes no submissions at the moment. Come back later.',
    );
  }
}

export class FormClosed extends FormShut {
  constructor(message: string | null) {
    super('form_closed', message ?? 'This form is closed and takes no more submissions.');
  }
}

export class FormFull extends FormShut {
  constructor(message: string | null) {
    super('form_full', message ?? 'This form has all the submissions that it takes.');
  }
}
