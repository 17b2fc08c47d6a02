import { Command } from 'commander';
import { accountCommands } from './account-commands.js';
import { doctorCommand } from './doctor-command.js';
import { migrateCommand } from './migrate-command.js';
import { tokenCommands } from './token-commands.js';

/** The operator's commands. Each opens the service's own modules, with the settings it would start with. */
export function commandLine(): Command {
  const program = new Command('form-collection-service')
    .description('Looks after a Form Collection Service from the terminal.')
    .addHelpText('after', '\nExit codes: 0 done, 1 refused or failed, 2 wrong use.')
    .exitOverride()
    .showHelpAfterError('(--help shows what is possible)');
  for (const command of [accountCommands(), tokenCommands(), migrateCommand(), doctorCommand()]) {
    program.addCommand(inherit(program, command));
  }
  return program;
}

/** Settings such as `exitOverride` reach only commands made by the program itself. */
function inherit(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(command, child);
  return command;
}
