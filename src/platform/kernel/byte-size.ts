const UNITS = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const;

/**
 * Formats a number of bytes for people: `10485760` is `10 MiB`.
 * @returns at most one digit after the point, and single bytes below 1 KiB
 */
export function byteSize(bytes: number): string {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? ['bytes', 1];
  return `${Number((bytes / size).toFixed(1))} ${unit}`;
}
