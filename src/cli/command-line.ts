import { Command, CommanderError } from 'commander';
import { DomainError } from '../platform/kernel/errors.js';
import { VERSION } from '../platform/kernel/version.js';
import { explainFailure } from '../start-failure.js';
import { accountCommands } from './account-commands.js';
import { backupCommand, restoreCommand } from './backup-commands.js';
import { Refused, WrongUse } from './cli.errors.js';
import { doctorCommand } from './doctor-command.js';
import { migrateCommand } from './migrate-command.js';
import { startCommand } from './start-command.js';
import { peopleCommands } from './people-commands.js';
import { tokenCommands } from './token-commands.js';

/**
 * Runs one of the operator's commands, on the service's own modules and with the settings it would
 * start with. Results go to stdout, errors to stderr.
 * @param words the command and its options
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong use
 */
export async function runCommand(words: string[]): Promise<number> {
  try {
    await commandLine().parseAsync(words.length > 0 ? words : ['start'], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const known =
      error instanceof DomainError || error instanceof WrongUse || error instanceof Refused;
    const message = known ? error.message : explainFailure(error, null, 'The command failed');
    process.stderr.write(`${message}\n`);
    return error instanceof WrongUse ? 2 : 1;
  }
}

function commandLine(): Command {
  const program = new Command('form-collection-service')
    .description('Manage a Form Collection Service from the terminal.')
    .version(VERSION, '-V, --version', 'print the version')
    .addHelpText('after', '\nExit codes: 0 success, 1 refused or failed, 2 wrong usage.')
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(--help lists commands and options)');
  const commands = [
    startCommand(),
    accountCommands(),
    tokenCommands(),
    peopleCommands(),
    migrateCommand(),
    doctorCommand(),
    backupCommand(),
    restoreCommand(),
  ];
  for (const command of commands) {
    program.addCommand(inherit(program, command));
  }
  return program;
}

/** Passes settings such as `exitOverride` on: commander does so only for commands that it makes itself. */
function inherit(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(command, child);
  return command;
}
