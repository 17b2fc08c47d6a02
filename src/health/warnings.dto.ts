import { listOf } from '../platform/http/index.js';
import { sentencesOf, type Finding, type FindingCode } from './finding.js';

/** A reason why a form does not do what its owner expects. */
export class WarningDto {
  /** Stable name of the kind of warning, such as `nobody_is_told`. */
  code: FindingCode;
  /** Says what is wrong and how to fix it. */
  message: string;

  static of(finding: Pick<Finding, 'code' | 'text' | 'fix'>): WarningDto {
    return { code: finding.code as FindingCode, message: sentencesOf(finding) };
  }
}

export class WarningListDto extends listOf('warnings', WarningDto) {}
