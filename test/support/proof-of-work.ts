import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge, Solution } from 'altcha-lib/types';
import { send, type Inbox } from './submit.js';

/** Asks for a challenge of a form. */
export async function challengeOf({ url }: Inbox): Promise<Challenge> {
  return (await send(`${url}/challenge`, { method: 'GET' })).body as unknown as Challenge;
}

/** Solves a challenge with the library's own solver, which is not the one that we serve. */
export async function solve(challenge: Challenge): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('It took too long.');
  return solution;
}

/** Writes what is sent in the field `altcha`. */
export const solutionText = (sent: unknown) => Buffer.from(JSON.stringify(sent)).toString('base64');

/** Asks for a challenge of a form, and returns its solution as it is sent. */
export async function solvedOf(inbox: Inbox): Promise<string> {
  const challenge = await challengeOf(inbox);
  return solutionText({ challenge, solution: await solve(challenge) });
}
