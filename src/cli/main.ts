#!/usr/bin/env node
import { CommanderError } from 'commander';
import { DomainError } from '../shared/errors.js';
import { explainFailure } from '../start-failure.js';
import { commandLine } from './command-line.js';
import { Refused, WrongUse } from './cli.errors.js';

/** Exit codes: 0 done, 1 refused or failed, 2 wrong use. */
try {
  await commandLine().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const known =
    error instanceof DomainError || error instanceof WrongUse || error instanceof Refused;
  process.stderr.write(`${known ? error.message : explainFailure(error)}\n`);
  return error instanceof WrongUse ? 2 : 1;
}
