import { settingInFile } from './given-value.js';
import { ALL_SETTINGS } from './settings.js';

/** Shortest setting, in letters, that is compared: shorter ones are near to variables of other programs. */
const SHORTEST = 7;
/** Length from which two letters may be wrong instead of one. */
const LONG = 9;

/**
 * Finds variables of the environment that look like a misspelt setting, such as SMPT_URL.
 * @returns a sentence for each, with the setting that was probably meant
 */
export function misspeltSettings(environment: Record<string, string | undefined>): string[] {
  const known = ALL_SETTINGS.map((setting) => setting.name);
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(settingInFile(name) ?? name)) return [];
    const meant = known.find((setting) => isNear(name, setting));
    return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
  });
}

function isNear(name: string, setting: string): boolean {
  if (setting.length < SHORTEST) return false;
  return distance(name.toUpperCase(), setting) <= (setting.length < LONG ? 1 : 2);
}

/** Counts the letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Infinity;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
  }
  return at(a.length, b.length);
}
