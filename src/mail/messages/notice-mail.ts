import type { Mailbox } from '../../platform/config/mailbox.js';
import type { Form } from '../../forms/model/form.entity.js';
import { button, code, facts, paragraph } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import { headerText } from '../parts/template.js';

/**
 * Writes the mail that tells an owner that calls were stopped after days of failures.
 * @param destination its name; null for the webhook of the form
 */
export function noticeMail(
  form: Form,
  destination: string | null,
  baseUrl: string,
  from: Mailbox,
  to: string,
): Message {
  const page = `${baseUrl}/forms/${form.identifier}`;
  const name = { label: 'Form', text: form.name };
  const content =
    destination === null
      ? {
          subject: `Webhook of "${form.name}" turned off`,
          blocks: [
            paragraph(
              'Every call of this webhook failed for five days, so we turned it off. The form still accepts and stores submissions.',
            ),
            facts([name, { label: 'Webhook', text: form.webhookUrl ?? '' }]),
            paragraph(
              'Once your server works again, turn the webhook on. You can then also send all missed submissions.',
            ),
            button('Open form', page),
            paragraph('Or use the API with an API token:'),
            code(enableCommand(`${baseUrl}/api/v1/forms/${form.identifier}/webhook`)),
          ],
        }
      : {
          subject: `Destination "${headerText(destination)}" of "${form.name}" paused`,
          blocks: [
            paragraph(
              'Every call of this destination failed for five days, so we paused it. The form still accepts and stores submissions.',
            ),
            facts([name, { label: 'Destination', text: destination }]),
            paragraph(
              'Its log says what went wrong. Resume it once that is mended; you can then also send what it missed.',
            ),
            button('Open destinations', `${page}/destinations`),
          ],
        };
  return { from, to, replyTo: null, ...writeMail(content), automatic: 'auto-generated' };
}

/** Returns a command to copy, which sends what was missed too. */
function enableCommand(address: string): string {
  return [
    `curl -X PATCH ${address} \\`,
    `  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\`,
    `  -d '{"webhook":{"enabled":true,"resend":true}}'`,
  ].join('\n');
}
