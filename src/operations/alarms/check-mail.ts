import { button, paragraph } from '../../mail/parts/blocks.js';
import type { Content } from '../../mail/parts/layout.js';

/** A check that fails or is well again, for a mail. */
export interface CheckTold {
  /** Its name, such as `disk space`. */
  check: string;
  isWell: boolean;
  detail: string;
}

/** Writes what operators are told of a check. */
export function checkMail({ check, isWell, detail }: CheckTold, baseUrl: string): Content {
  return {
    subject: isWell ? `Well again: ${check}` : `Check failed: ${check}`,
    blocks: [
      paragraph(detail),
      button('Open Status', `${baseUrl}/status`),
      ...(isWell ? [] : [paragraph('We send another email when it is well again.')]),
    ],
  };
}
