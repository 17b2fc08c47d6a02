import type { ProviderName } from '../formats/index.js';

/** Treatment of rows without a time: they are broken, or take the time of the import. */
export const UNDATED = ['refuse', 'now'] as const;

/** Treatment of the addresses of files: they stay as text, or the files are fetched. */
export const FILES = ['address', 'fetch'] as const;

/** Order of day and month in dates of digits. */
export const DAY_ORDERS = ['day_first', 'month_first'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

/** Says how a file is read. */
export interface ImportOptions {
  provider: ProviderName;
  /** The column of the time; null to find it out. */
  time: string | null;
  /** Columns with their new names; null for those that are left out. */
  columns: readonly (readonly [from: string, to: string | null])[];
  undated: (typeof UNDATED)[number];
  /** Whether the apostrophe is taken away that some exports put before a formula. */
  unprefix: boolean;
  files: (typeof FILES)[number];
  /** Name in the Encoding Standard; null to find it out. */
  encoding: string | null;
  /** The order of dates that can be read in two ways; null where other rows of the file are to prove it. */
  dates: DayOrder | null;
  /** Fields that the form had when the file was taken: columns that are called much like one become it. */
  into: readonly string[];
}

/** Returns how an export of a provider is read when nobody says otherwise. */
export function plainOptions(provider: ProviderName): ImportOptions {
  return {
    provider,
    time: null,
    columns: [],
    undated: 'refuse',
    unprefix: false,
    files: 'address',
    encoding: null,
    dates: null,
    into: [],
  };
}
