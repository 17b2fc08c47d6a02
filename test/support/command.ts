import { runCommand } from '../../src/cli/command-line.js';
import { Program } from './program.js';

/** Result of a command of the operator. */
export interface AttemptResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command in this process, which costs a tenth of a program's start; one after another, since
 * they share its output. That the program itself does the same is shown once for each command.
 */
export async function run(settings: Record<string, string>, ...words: string[]): Promise<AttemptResult> {
  const result: AttemptResult = { code: null, stdout: '', stderr: '' };
  const env = jest.replaceProperty(process, 'env', settings);
  const stdout = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => (result.stdout += String(text)) !== '');
  const stderr = jest
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => (result.stderr += String(text)) !== '');
  const folder = process.cwd();
  process.chdir(settings.DATA_DIR ?? folder); // where no `.env` is
  try {
    result.code = await runCommand(words);
    return result;
  } finally {
    process.chdir(folder);
    env.restore();
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

/** Has the doctor look, and returns what it finds under a name. */
export async function findingOf(settings: Record<string, string>, name: string) {
  const { stdout } = await run(settings, 'doctor', '--json');
  const findings = JSON.parse(stdout) as { name: string; state: string; detail: string }[];
  return findings.find((finding) => finding.name === name);
}

/** Runs a command as the operator does: the built program. */
export async function runProgram(settings: Record<string, string>, ...words: string[]): Promise<AttemptResult> {
  const program = Program.cli(settings, ...words);
  return { code: await program.ended, stdout: program.stdout, stderr: program.stderr };
}
