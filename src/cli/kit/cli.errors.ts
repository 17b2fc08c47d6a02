import { DomainError } from '../../platform/kernel/errors.js';
import { explainFailure } from '../../start-failure.js';

/** The words of a command are wrong; exit code 2. */
export class WrongUse extends Error {}

/** A check failed, or the command was refused; exit code 1. */
export class Refused extends Error {}

/** It may work later; a mail server keeps what it has and tries again. */
export class TryLater extends Error {}

/** Returns what failed, and what to do about it, in sentences for the operator. */
export function reasonOf(error: unknown): string {
  const isKnown = [DomainError, WrongUse, Refused, TryLater].some((kind) => error instanceof kind);
  return isKnown ? (error as Error).message : explainFailure(error, null, 'The command failed');
}
