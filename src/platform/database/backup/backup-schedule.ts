import { DAY_MS, MINUTE_MS } from '../../kernel/time/durations.js';

/** How many backups before upgrades are kept. */
const UPGRADES_KEPT = 3;

/** A backup in the folder. Its name says what it is and when it was made. */
export interface StoredBackup {
  name: string;
  kind: 'backup' | 'upgrade';
  at: Date;
}

const NAME = /^(backup|upgrade)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.ndjson\.gz$/;

/** Returns the name of a backup of a time, such as `backup-20261126T030000Z.ndjson.gz`. */
export function backupName(kind: StoredBackup['kind'], at: Date): string {
  return `${kind}-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.ndjson.gz`;
}

/** Returns the backup that a file is by its name; null for other files. */
export function readBackupName(name: string): StoredBackup | null {
  const [, kind, ...parts] = NAME.exec(name) ?? [];
  const [year, month, day, hour, minute, second] = parts;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(at.getTime())) return null;
  return { name, kind: kind as StoredBackup['kind'], at };
}

/** Returns the last time of the day, of those given as `HH:MM` in UTC, that is not after `now`; null without times. */
export function lastDue(times: readonly string[], now: Date): Date | null {
  return momentsAround(times, now).findLast((at) => at <= now) ?? null;
}

/** Returns the next such time after `now`; null without times. */
export function nextDue(times: readonly string[], now: Date): Date | null {
  return momentsAround(times, now).find((at) => at > now) ?? null;
}

function momentsAround(times: readonly string[], now: Date): Date[] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const ofDay = times.map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return (hours * 60 + minutes) * MINUTE_MS;
  });
  return [-DAY_MS, 0, DAY_MS]
    .flatMap((day) => ofDay.map((ms) => new Date(today + day + ms)))
    .sort((a, b) => a.getTime() - b.getTime());
}

/**
 * Returns the backups to remove: all but the last of each of the newest days and weeks that have one, and the newest before
 * upgrades. Those from the future, when the clock was wrong, are kept and count for nothing.
 */
export function superfluous(
  stored: readonly StoredBackup[],
  keep: { days: number; weeks: number },
  now: Date,
): StoredBackup[] {
  const past = stored.filter(({ at }) => at <= now).sort((a, b) => Number(b.at) - Number(a.at));
  const regular = past.filter(({ kind }) => kind === 'backup');
  const kept = new Set([
    ...lastOfEach(regular, keep.days, ({ at }) => Math.floor(at.getTime() / DAY_MS)),
    // The first day of 1970 was a Thursday.
    ...lastOfEach(regular, keep.weeks, ({ at }) => Math.floor((at.getTime() / DAY_MS + 3) / 7)),
    ...past.filter(({ kind }) => kind === 'upgrade').slice(0, UPGRADES_KEPT),
  ]);
  return past.filter((backup) => !kept.has(backup));
}

function lastOfEach(
  newestFirst: StoredBackup[],
  most: number,
  spanOf: (backup: StoredBackup) => number,
): StoredBackup[] {
  const bySpan = new Map<number, StoredBackup>();
  for (const backup of newestFirst) {
    if (!bySpan.has(spanOf(backup))) bySpan.set(spanOf(backup), backup);
  }
  return [...bySpan.values()].slice(0, most);
}
