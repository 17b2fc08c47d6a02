import type { Solution } from './spent-solution-inserts.js';

/** How the work of a submission was done. */
export type ProofState = 'solved' | 'missing' | 'unclear' | 'expired' | 'used';

/** Outcome of the proof of work of a submission, and the solution that it spends. */
export interface Proof {
  state: ProofState;
  solution: Solution | null;
}

/** Returns a proof that counts no more, or never did. */
export const noProof = (state: ProofState): Proof => ({ state, solution: null });
