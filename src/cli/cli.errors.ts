/** The words of a command are wrong; exit code 2. */
export class WrongUse extends Error {}

/** A check failed, or the command was refused; exit code 1. */
export class Refused extends Error {}

/** It may work later; a mail server keeps what it has and tries again. */
export class TryLater extends Error {}
