import type { ProofState, SpamSignal } from '../evidence/spam-evidence.js';

const REASONS: Record<Exclude<ProofState, 'solved'>, string> = {
  missing: 'The proof of work is missing.',
  unclear: 'The proof of work is not valid for this form.',
  expired: 'The proof of work has expired.',
  used: 'The proof of work was used before.',
};

/** Says that the visitor's computer did not do the small task that the form sets. */
export const proofOfWork: SpamSignal = {
  name: 'proof_of_work',
  points: 3,
  enabled: false,
  look: ({ proof }, settings) => {
    if (proof === null || proof === 'solved') return null;
    const part = settings.part('proof_of_work', REASONS[proof]);
    return settings.proofRequired ? { ...part, holds: true } : part;
  },
};
