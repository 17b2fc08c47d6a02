import type { ProviderName } from '../formats/index.js';

/** Treatment of rows without a time: they are broken, or take the time of the import. */
export const UNDATED = ['refuse', 'now'] as const;

/** Treatment of the addresses of files: they stay as text, or the files are fetched. */
export const FILES = ['address', 'fetch'] as const;

/** Says how a file is read. */
export interface ImportOptions {
  provider: ProviderName;
  /** The column of the time; null for those of the provider. */
  time: string | null;
  /** Columns with their new names; null for those that are left out. */
  columns: readonly (readonly [from: string, to: string | null])[];
  undated: (typeof UNDATED)[number];
  /** Whether the apostrophe is taken away that some exports put before a formula. */
  unprefix: boolean;
  files: (typeof FILES)[number];
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
  };
}
