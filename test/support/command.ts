import { jest } from '@jest/globals';
import { runCommand } from '../../src/cli/command-line.js';
import { Program } from './program.js';

/** What a command of the operator's command line did. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command in this process, which costs a tenth of a program's start; one after another, since
 * they share its output. That the program itself does the same is shown once for each command.
 */
export async function run(settings: Record<string, string>, ...words: string[]): Promise<Outcome> {
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  const env = jest.replaceProperty(process, 'env', settings);
  const stdout = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => (outcome.stdout += String(text)) !== '');
  const stderr = jest
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => (outcome.stderr += String(text)) !== '');
  const folder = process.cwd();
  process.chdir(settings.DATA_DIR ?? folder); // where no `.env` is
  try {
    outcome.code = await runCommand(words);
    return outcome;
  } finally {
    process.chdir(folder);
    env.restore();
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

/** Runs a command as the operator does: the built program. */
export async function runProgram(
  settings: Record<string, string>,
  ...words: string[]
): Promise<Outcome> {
  const program = Program.cli(settings, ...words);
  return { code: await program.ended, stdout: program.stdout, stderr: program.stderr };
}
