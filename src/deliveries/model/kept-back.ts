/** Those of some submissions of which nothing goes out now. */
export interface KeptBack {
  spam: Buffer[];
  /** With when each is released by itself; null: when a person says so. */
  held: { id: Buffer; until: Date | null }[];
}
