import { ValidateBy } from 'class-validator';
import { isPattern } from '../model/field-rules.js';

/** Refuses a text that is no pattern. @param isMeant tells of an object whether its text is one; all are without it */
export function IsPattern(isMeant: (dto: object) => boolean = () => true): PropertyDecorator {
  return ValidateBy({
    name: 'not_a_pattern',
    validator: {
      validate: (value, about) =>
        typeof value !== 'string' || !isMeant(about?.object ?? {}) || isPattern(value),
      defaultMessage: () =>
        'must be a regular expression of few steps, without look-around (?=) and back references \\1',
    },
  });
}
