import { button, code, facts, paragraph } from '../../mail/parts/blocks.js';
import { writeMail } from '../../mail/parts/layout.js';
import type { Message } from '../../mail/parts/message.js';
import type { Mailbox } from '../../platform/config/mailbox.js';
import { COMMAND_LINE } from '../../platform/kernel/command-line.js';
import type { StoredBackup } from '../../platform/database/backup/backup-schedule.js';

/** Trouble with backups, for a mail. */
interface Trouble {
  trouble: string;
  newest: StoredBackup | null;
  folder: string;
}

/** Writes the mail that tells an operator that backups fail or are late. */
export function backupMail(
  { trouble, newest, folder }: Trouble,
  baseUrl: string,
  from: Mailbox,
  to: string,
): Message {
  return {
    from,
    to,
    replyTo: null,
    ...writeMail({
      subject: 'Backups fail',
      blocks: [
        paragraph(`${trouble} The service runs on and tries again each hour.`),
        facts([
          { label: 'Last backup', text: newest?.at.toISOString() ?? 'none' },
          { label: 'Folder', text: folder },
        ]),
        button('Open Status', `${baseUrl}/status`),
        paragraph('To make a backup by hand:'),
        code(`${COMMAND_LINE} backup`),
      ],
    }),
    automatic: 'auto-generated',
  };
}
