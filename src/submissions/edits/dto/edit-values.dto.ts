import { IsObject } from 'class-validator';
import { Required } from '../../../platform/kernel/validation.js';

export class EditValuesDto {
  /**
   * New values by field: a text, or any JSON. A field that is not named stays as it is, one with null is taken away.
   */
  @IsObject({ message: 'must be an object of fields with their new values' })
  @Required()
  values: Record<string, unknown>;
}
