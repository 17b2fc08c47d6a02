/** The words of a command are wrong; exit code 2. */
export class WrongUse extends Error {}

/** A check failed, or the command was refused; exit code 1. */
export class Refused extends Error {}
