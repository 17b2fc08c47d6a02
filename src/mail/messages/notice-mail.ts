import type { Mailbox } from '../../platform/config/mailbox.js';
import type { Form } from '../../forms/model/form.entity.js';
import { button, code, facts, paragraph } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';

/** Writes the mail that tells an owner that a webhook was disabled after days of failures. */
export function noticeMail(form: Form, baseUrl: string, from: Mailbox, to: string): Message {
  return {
    from,
    to,
    replyTo: null,
    ...writeMail({
      subject: `The webhook of "${form.name}" was disabled`,
      blocks: [
        paragraph(
          'For five days, no call of the webhook succeeded, so it was disabled. Submissions are still taken in and kept; only the webhook is no longer called.',
        ),
        facts([
          { label: 'Form', text: form.name },
          { label: 'Webhook', text: form.webhookUrl ?? '' },
        ]),
        paragraph(
          'When it works again, switch it on at the page of the form. What was missed is sent then.',
        ),
        button('Open the form', `${baseUrl}/forms/${form.identifier}`),
        paragraph('Or by the API, with an access token:'),
        code(enableCommand(`${baseUrl}/api/v1/forms/${form.identifier}/webhook`)),
      ],
    }),
    automatic: 'auto-generated',
  };
}

/** Returns a command to copy, which sends what was missed too. */
function enableCommand(address: string): string {
  return [
    `curl -X PATCH ${address} \\`,
    `  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\`,
    `  -d '{"webhook":{"enabled":true,"resend":true}}'`,
  ].join('\n');
}
