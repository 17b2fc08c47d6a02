import { Command, CommanderError } from 'commander';
import { VERSION } from '../platform/index.js';
import { accountCommands, tokenCommands } from './account-commands.js';
import { reasonOf, TryLater, WrongUse } from './command.js';
import { aliasCommands } from './alias-commands.js';
import {
  bounceCommand,
  doctorCommand,
  migrateCommand,
  startCommand,
  backupCommand,
  restoreCommand,
} from './operator-commands.js';
import { importCommand } from './import-command.js';
import { setupCommand } from './setup-command.js';
import { peopleCommands } from './people-commands.js';

/** Exit code of a program that is to be run again later (sysexits.h). */
const EX_TEMPFAIL = 75;

/**
 * Runs one of the operator's commands, on the service's own modules and with the settings it would
 * start with. Results go to stdout, errors to stderr.
 * @param words the command and its options
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong use, 75 (EX_TEMPFAIL of sysexits) to be tried again
 */
export async function runCommand(words: string[]): Promise<number> {
  try {
    await commandLine().parseAsync(words.length > 0 ? words : ['start'], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${reasonOf(error)}\n`);
    if (error instanceof TryLater) return EX_TEMPFAIL;
    return error instanceof WrongUse ? 2 : 1;
  }
}

function commandLine() {
  const program = new Command('form-collection-service')
    .description('Manage a Form Collection Service from the terminal.')
    .version(VERSION, '-V, --version', 'print the version')
    .addHelpText('after', '\nExit codes: 0 success, 1 refused or failed, 2 wrong usage.')
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(--help lists commands and options)');
  const commands = [
    startCommand(),
    setupCommand(),
    accountCommands(),
    aliasCommands(),
    tokenCommands(),
    peopleCommands(),
    migrateCommand(),
    doctorCommand(),
    backupCommand(),
    restoreCommand(),
    bounceCommand(),
    importCommand(),
  ];
  for (const command of commands) {
    program.addCommand(inherit(program, command));
  }
  return program;
}

/** Passes settings such as `exitOverride` on: commander does so only for commands that it makes itself. */
function inherit(parent: Command, command: Command) {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(command, child);
  return command;
}
