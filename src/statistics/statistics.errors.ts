import { InvalidInputError } from '../platform/kernel/errors.js';

export class SpanEmpty extends InvalidInputError {
  constructor() {
    const message = 'to must be later than from';
    super('span_empty', `${message}.`, [{ field: 'to', code: 'span_empty', message }]);
  }
}

/** The span has more hours, days, weeks or months than one answer holds. */
export class TooManyBuckets extends InvalidInputError {
  constructor(max: number) {
    const message = `by must divide the period into at most ${max} parts; choose a larger unit or a shorter period`;
    super('too_many_buckets', `${message}.`, [{ field: 'by', code: 'too_many_buckets', message }]);
  }
}
