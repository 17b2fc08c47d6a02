/** Says by the state of a delivery how its state is drawn. */
export const STATE_KINDS = {
  pending: 'quiet',
  delivering: 'quiet',
  delivered: 'good',
  failed: 'bad',
  obsolete: 'quiet',
  summarised: 'quiet',
  written: 'warn',
} as const;
