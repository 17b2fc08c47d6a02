/** The command line was given something it cannot use: exit code 2. */
export class WrongUse extends Error {}

/** A check did not hold: exit code 1. */
export class Refused extends Error {}
