import { paragraph } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { sendAs, type SentBy } from '../parts/sent-by.js';

/** Writes the mail that shows whether the sender of a client works. */
export function senderTestMail(by: SentBy, to: string): Message {
  return sendAs(by, {
    from: by.from,
    to,
    replyTo: null,
    ...writeMail({
      subject: 'Test of the sender',
      sender: by.name,
      blocks: [
        paragraph(
          `This email came from ${by.from.address}${by.via ? ` through ${by.via.host}` : ''}.`,
        ),
        paragraph('Emails to visitors and to the people of this client come the same way.'),
      ],
    }),
    automatic: 'auto-generated',
  });
}
