import { IsObject } from 'class-validator';
import { Required } from '../../platform/index.js';
import { ValuesRefused } from '../model/submission.errors.js';
import type { FieldChanges } from './edits.service.js';

export class EditValuesDto {
  /**
   * New values by field: a text, or any JSON. A field that is not named stays as it is, one with null is taken away.
   */
  @IsObject({ message: 'must be an object of fields with their new values' })
  @Required()
  values: Record<string, unknown>;

  /** @throws ValuesRefused */
  static changes({ values }: EditValuesDto): FieldChanges {
    return new Map(
      Object.entries(values).map(([name, value]) => {
        if (name === '') throw new ValuesRefused('A field needs a name.');
        return [name, value === null ? null : jsonOf(name, value)];
      }),
    );
  }
}

/** @throws ValuesRefused for a number that the parser of the body has changed */
function jsonOf(name: string, value: unknown) {
  return JSON.stringify(value, (_, part: unknown) => {
    const isWhole = typeof part === 'number' && (Number.isInteger(part) || !Number.isFinite(part));
    if (isWhole && !Number.isSafeInteger(part)) {
      throw new ValuesRefused(`The number in "${name}" is too large to keep. Send it as text.`);
    }
    return part;
  });
}
