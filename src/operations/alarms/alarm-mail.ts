import { button, paragraph } from '../../mail/parts/blocks.js';
import { writeMail } from '../../mail/parts/layout.js';
import type { Message } from '../../mail/parts/message.js';
import type { Mailbox } from '../../platform/config/mailbox.js';

/** A check that fails or is well again, for a mail. */
interface Alarm {
  /** Its name, such as `disk space`. */
  check: string;
  isWell: boolean;
  detail: string;
}

/** Writes the mail that tells an operator what a check has found. */
export function alarmMail(
  { check, isWell, detail }: Alarm,
  baseUrl: string,
  from: Mailbox,
  to: string,
): Message {
  return {
    from,
    to,
    replyTo: null,
    ...writeMail({
      subject: isWell ? `Well again: ${check}` : `Check failed: ${check}`,
      blocks: [
        paragraph(detail),
        button('Open Status', `${baseUrl}/status`),
        ...(isWell ? [] : [paragraph('We send another email when it is well again.')]),
      ],
    }),
    automatic: 'auto-generated',
  };
}
