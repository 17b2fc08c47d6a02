import type { ProofState } from '../evidence/proof.js';
import type { SpamSignal } from '../evidence/spam-signal.js';

const REASONS: Record<Exclude<ProofState, 'solved'>, string> = {
  missing: 'It came without the proof of work that this form asks for.',
  unclear: 'Its proof of work is none for this form.',
  expired: 'Its proof of work had expired.',
  used: 'Its proof of work had been used before.',
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
