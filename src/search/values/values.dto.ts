import { MaxLength } from 'class-validator';
import { Required, Text } from '../../platform/index.js';

const FIELD_MAX = 4_096;
const VALUE_MAX = 8_192;

/** Names a value of a field, exactly. */
export class ValueQueryDto {
  /** Name of the field. */
  @Text({ max: FIELD_MAX })
  @Required()
  field: string;

  /** Its value, every character of it. */
  @MaxLength(VALUE_MAX, { message: `must not exceed ${VALUE_MAX} characters` })
  @Required()
  value: string;
}

/** Whether a value was submitted. */
export class ValueExistsDto {
  exists: boolean;
}

/** How much was erased. */
export class ErasedDto {
  /** Submissions that are gone, with their files. */
  erased: number;
}
