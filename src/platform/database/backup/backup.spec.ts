import { backupName, lastDue, nextDue, readBackupName, superfluous, type StoredBackup } from './backup.js';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-26T12:00:00Z');

/** Backups of days before NOW, by their number. */
function daily(...days: number[]): StoredBackup[] {
  return days.map((day) => {
    const at = new Date(NOW.getTime() - day * DAY_MS);
    return { name: backupName('backup', at), kind: 'backup', at };
  });
}

const daysOf = (backups: StoredBackup[]) =>
  backups.map(({ at }) => (NOW.getTime() - at.getTime()) / DAY_MS).sort((a, b) => a - b);

describe('The name of a backup', () => {
  it('says what it is and when it was made', () => {
    const at = new Date('2026-11-26T03:00:00Z');
    expect(backupName('upgrade', at)).toBe('upgrade-20261126T030000Z.ndjson.gz');
    expect(readBackupName('upgrade-20261126T030000Z.ndjson.gz')).toEqual({
      name: 'upgrade-20261126T030000Z.ndjson.gz',
      kind: 'upgrade',
      at,
    });
  });

  it.each([
    'backup-20261126T030000Z.ndjson.gz.partial',
    'backup-20269926T030000Z.ndjson.gz',
    'backup.ndjson.gz',
    'trouble.json',
  ])('is not %s', (name) => {
    expect(readBackupName(name)).toBeNull();
  });
});

describe('The time of a backup', () => {
  it.each([
    ['03:00', '2026-11-26T03:00:00.000Z', '2026-11-27T03:00:00.000Z'],
    ['15:30', '2026-11-25T15:30:00.000Z', '2026-11-26T15:30:00.000Z'],
    ['12:00', '2026-11-26T12:00:00.000Z', '2026-11-27T12:00:00.000Z'],
  ])('%s was last due at %s and is next due at %s', (time, last, next) => {
    expect(lastDue([time], NOW)?.toISOString()).toBe(last);
    expect(nextDue([time], NOW)?.toISOString()).toBe(next);
  });

  it('is the nearest of several', () => {
    const times = ['23:00', '11:00', '13:00'];
    expect(lastDue(times, NOW)?.toISOString()).toBe('2026-11-26T11:00:00.000Z');
    expect(nextDue(times, NOW)?.toISOString()).toBe('2026-11-26T13:00:00.000Z');
  });

  it('is never without times', () => {
    expect([lastDue([], NOW), nextDue([], NOW)]).toEqual([null, null]);
  });
});

describe('Of many backups', () => {
  const keep = { days: 7, weeks: 4 };

  it('stay those of the last seven days and four weeks that have one', () => {
    const all = daily(...Array.from({ length: 60 }, (_, day) => day));
    const removed = new Set(superfluous(all, keep, NOW));
    // A Thursday: the last day of each week before is a Sunday.
    expect(daysOf(all.filter((one) => !removed.has(one)))).toEqual([0, 1, 2, 3, 4, 5, 6, 11, 18]);
  });

  it('stays the last of each day', () => {
    const at = (time: string) => new Date(`2026-11-26T${time}:00Z`);
    const all = ['01:00', '03:00'].map((time): StoredBackup => {
      return { name: backupName('backup', at(time)), kind: 'backup', at: at(time) };
    });
    expect(superfluous(all, keep, NOW)).toEqual(all.slice(0, 1));
  });

  it('stay the newest however old they are', () => {
    expect(superfluous(daily(400, 401, 402), keep, NOW)).toEqual([]);
  });

  it('stay new ones although a wrong clock has made some of next year', () => {
    const all = daily(...Array.from({ length: 20 }, (_, day) => day - 365 - 10), 0, 1);
    expect(superfluous(all, keep, NOW)).toEqual([]);
  });

  it('stay three from before upgrades, and count for nothing else', () => {
    const upgrades = daily(1, 2, 3, 4).map((one): StoredBackup => ({ ...one, kind: 'upgrade' }));
    expect(daysOf(superfluous([...upgrades, ...daily(30)], keep, NOW))).toEqual([4]);
  });
});
