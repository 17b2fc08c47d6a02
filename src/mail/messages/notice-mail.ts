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
      subject: `Webhook of "${form.name}" turned off`,
      blocks: [
        paragraph(
          'Every call of this webhook failed for five days, so we turned it off. The form still accepts and stores submissions.',
        ),
        facts([
          { label: 'Form', text: form.name },
          { label: 'Webhook', text: form.webhookUrl ?? '' },
        ]),
        paragraph(
          'Once your server works again, turn the webhook on. You can then also send all missed submissions.',
        ),
        button('Open form', `${baseUrl}/forms/${form.identifier}`),
        paragraph('Or use the API with an API token:'),
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
