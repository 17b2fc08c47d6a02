import type { Warning } from '../warnings.service.js';

/** Something the owner of a form should know. */
export class WarningDto {
  /** Stable word for it, such as `nobody_is_told`. */
  code: string;
  /** What it is and what to do about it. */
  message: string;
}

export class WarningListDto {
  warnings: WarningDto[];

  static of(warnings: Warning[]): WarningListDto {
    return { warnings: warnings.map(({ code, message }) => ({ code, message })) };
  }
}
