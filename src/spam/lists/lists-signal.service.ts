import { Injectable } from '@nestjs/common';
import { lists } from '../signals/lists.js';
import type { SpamEvidence } from '../evidence/spam-evidence.js';
import type { FormRules, FoundPart, SlowSignal } from '../evidence/spam-signal.js';
import { UNKNOWN_SHARE } from '../evidence/verdict.js';
import { soughtIn, type Found } from './entry-list.js';
import { LookUps } from './look-ups.service.js';

const NOT_LOOKED_UP = 'The lists of this form could not be looked through in time.';

/**
 * Says that a form blocks something in a submission, or allows who sent it. What is allowed is so whatever else
 * is blocked. Only an address that is a value as a whole is the sender's: any text may name another.
 */
@Injectable()
export class ListsSignal implements SlowSignal {
  readonly name = lists.name;
  readonly points = lists.points;
  readonly enabled = lists.enabled;
  readonly again = lists.again;

  constructor(private readonly lookUps: LookUps) {}

  readonly isSilent = ({ form }: SpamEvidence): boolean => this.lookUps.hasNone(form.id);

  readonly look = async (
    { form, fields, address }: SpamEvidence,
    settings: FormRules,
  ): Promise<FoundPart | null> => {
    const lookUp = await this.lookUps.of(form.id);
    if (lookUp === null) return null;
    const { anywhere, bySender } = soughtIn(fields, address);
    const allowed = lookUp.allow.find(bySender);
    if (allowed) {
      return { ...settings.part(this.name, reasonOf(allowed, 'allows')), allows: true };
    }
    const blocked = lookUp.block.find(anywhere);
    return blocked && settings.part(this.name, reasonOf(blocked, 'blocks'));
  };

  /** A list may be long, and the service busy: nobody gets past it for that. */
  readonly unanswered = (settings: FormRules): FoundPart => ({
    ...settings.part(this.name, NOT_LOOKED_UP, UNKNOWN_SHARE),
    holds: true,
  });

  /** A network was looked up by an address that may not be stored. */
  readonly mayHold = async ({ form, address }: SpamEvidence): Promise<boolean> => {
    const lookUp = address === '' ? await this.lookUps.of(form.id) : null;
    return lookUp !== null && (lookUp.block.hasNetworks || lookUp.allow.hasNetworks);
  };
}

function reasonOf({ kind, entry }: Found, does: 'allows' | 'blocks'): string {
  return entry === null
    ? `This form ${does} the network that it came from.`
    : `This form ${does} the ${kind} "${entry}".`;
}
