import { button, code, facts, paragraph } from '../../mail/parts/blocks.js';
import type { Content } from '../../mail/parts/layout.js';
import { COMMAND_LINE } from '../../platform/kernel/command-line.js';
import type { StoredBackup } from '../../platform/database/backup/backup-schedule.js';

/** Trouble with backups, for a mail. */
interface Trouble {
  trouble: string;
  newest: StoredBackup | null;
  folder: string;
}

/** Writes what operators are told when backups fail or are late. */
export function backupMail({ trouble, newest, folder }: Trouble, baseUrl: string): Content {
  return {
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
  };
}
