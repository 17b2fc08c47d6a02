import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./load-process.js', import.meta.url));

/**
 * Starts the load generator.
 * @returns `run` does what `measure` in `load-process.js` says; `stop` ends the process
 */
export function startLoad() {
  const child = fork(PROGRAM, { serialization: 'advanced' });
  const ended = once(child, 'exit').then(() => {
    throw new Error('The load generator ended by itself.');
  });
  ended.catch(() => undefined); // the waiting caller gets the error
  return {
    pid: child.pid,
    run: async (request) => {
      child.send(request);
      const [outcome] = await Promise.race([once(child, 'message'), ended]);
      return outcome;
    },
    stop: () => child.disconnect(),
  };
}
