import type { Form } from '../../forms/model/form.entity.js';
import type { Config } from '../../platform/config/config.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { LINK_DAYS } from '../../submissions/confirmations/confirmations.service.js';
import { button, paragraph } from '../parts/blocks.js';
import { writeMail } from '../parts/layout.js';
import type { Message } from '../parts/message.js';
import type { SentBy } from '../parts/sent-by.js';
import { cut, fillSubject } from '../parts/template.js';
import { senders } from './senders.js';

/**
 * Asks a visitor whether they sent a submission. It says nothing that was sent, since it may go to a stranger: the names are the
 * owner's own.
 */
export function optInMail(
  form: Form,
  submissionId: Buffer,
  link: string,
  by: SentBy,
  answersTo: string | null,
  config: Config,
  to: string,
): Message {
  const { name } = by;
  const who = name === null ? '' : ` of ${cut(name)}`;
  return {
    ...senders(form, config, by, answersTo),
    to,
    thread: formatUuid(submissionId),
    ...writeMail({
      subject: fillSubject('Please confirm: {{form}}', new Map([['form', form.name]])),
      heading: 'Confirm that this was you',
      sender: name,
      blocks: [
        paragraph(
          `Somebody filled in “${cut(form.name)}”${who} with this email address. It is passed on once you confirm that this was you.`,
        ),
        button('Confirm that this was you', link),
      ],
      footer: [
        paragraph(
          `The link works for ${LINK_DAYS} days. If this was not you, ignore this email: nothing will be passed on, and we will not ask again.`,
        ),
      ],
    }),
    automatic: 'auto-replied',
  };
}
