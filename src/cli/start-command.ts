import { Command } from 'commander';

/** Returns the command `start`. */
export function startCommand(): Command {
  return new Command('start')
    .description('Start the service. This is also what happens without a command.')
    .action(async () => {
      await import('../main.js');
    });
}
