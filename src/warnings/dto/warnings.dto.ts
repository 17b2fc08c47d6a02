import { listOf } from '../../platform/http/shapes.js';
import type { Warning, WarningCode } from '../warning.js';

/** A reason why a form does not do what its owner expects. */
export class WarningDto {
  /** Stable name of the kind of warning, such as `nobody_is_told`. */
  code: WarningCode;
  /** Says what is wrong and how to fix it. */
  message: string;

  static of({ code, message }: Warning): WarningDto {
    return { code, message };
  }
}

export class WarningListDto extends listOf('warnings', WarningDto) {}
