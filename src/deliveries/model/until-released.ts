/** The time of a delivery that is withheld until a person releases it. */
export const UNTIL_RELEASED = new Date('9000-01-01T00:00:00Z');
