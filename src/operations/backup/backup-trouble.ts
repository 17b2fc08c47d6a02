import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'trouble.json';

/** Why the last scheduled backup failed. */
export interface BackupTrouble {
  /** When it last failed. */
  at: Date;
  reason: string;
  /** Whether operators got a mail about it. */
  isTold: boolean;
}

/** Remembers the trouble in the folder of backups, for all processes; only for this one where that cannot be written. */
export class TroubleRecord {
  private own: BackupTrouble | null = null;

  constructor(private readonly folder: string) {}

  async read(): Promise<BackupTrouble | null> {
    try {
      const text = await readFile(this.file, 'utf8');
      const { at, ...rest } = JSON.parse(text) as Omit<BackupTrouble, 'at'> & { at: string };
      return { ...rest, at: new Date(at) };
    } catch {
      return this.own; // there is none, or its writer was cut off
    }
  }

  async write(trouble: BackupTrouble): Promise<void> {
    this.own = trouble;
    await writeFile(this.file, JSON.stringify(trouble)).catch(() => undefined);
  }

  async clear(): Promise<void> {
    this.own = null;
    await rm(this.file, { force: true });
  }

  private get file(): string {
    return join(this.folder, NAME);
  }
}
