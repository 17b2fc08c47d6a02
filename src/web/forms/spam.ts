import type { SpamSettings } from '../../spam/spam-settings.js';
import { textOf, textsOf, type Typed } from '../layout/typed.js';

/** What the page of a form about spam shows, as it is typed. */
export interface SpamTyped {
  signals: { name: string; enabled: boolean; points: string }[];
  heldAt: string;
  spamAt: string;
  /** Empty: no end. */
  holdHours: string;
  /** Divided by commas. */
  honeypots: string;
  /** Names of the scripts that are expected; none: any. */
  scripts: string[];
  requiresProof: boolean;
}

/** Returns the settings of a form as they would be typed. */
export function shownRules(settings: SpamSettings): SpamTyped {
  return {
    signals: Object.entries(settings.signals).map(([name, { enabled, points }]) => ({
      name,
      enabled,
      points: String(points),
    })),
    heldAt: String(settings.heldAt),
    spamAt: String(settings.spamAt),
    holdHours: settings.holdHours === null ? '' : String(settings.holdHours),
    honeypots: settings.honeypots.join(', '),
    scripts: [...(settings.scripts ?? [])],
    requiresProof: settings.proofRequired,
  };
}

/** Reads what was typed; a signal of which the page sent nothing stays as it is. */
export function typedRules(sent: Typed | undefined, settings: SpamSettings): SpamTyped {
  const ticked = textsOf(sent, 'enabled');
  const names = Object.keys(settings.signals).filter((name) => sent && pointsOf(name) in sent);
  return {
    signals: names.map((name) => ({
      name,
      enabled: ticked.includes(name),
      points: textOf(sent, pointsOf(name)).trim(),
    })),
    heldAt: textOf(sent, 'spam.held_at').trim(),
    spamAt: textOf(sent, 'spam.spam_at').trim(),
    holdHours: textOf(sent, 'spam.hold_hours').trim(),
    honeypots: textOf(sent, 'spam.honeypots').trim(),
    scripts: textsOf(sent, 'spam.scripts'),
    requiresProof: textOf(sent, PROOF) === 'true',
  };
}

/** Returns the body that asks the API for the same. */
export function bodyOf(typed: SpamTyped): object {
  const { signals, heldAt, spamAt, holdHours, honeypots, scripts, requiresProof } = typed;
  return {
    spam: {
      signals: Object.fromEntries(
        signals.map(({ name, enabled, points }) => [name, { enabled, points: numberOf(points) }]),
      ),
      held_at: numberOf(heldAt),
      spam_at: numberOf(spamAt),
      hold_hours: holdHours === '' ? null : numberOf(holdHours),
      honeypots: honeypots
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
      scripts: scripts.length === 0 ? null : scripts,
      proof_of_work: { require: requiresProof },
    },
  };
}

/** Name of the box that requires a proof of work. */
export const PROOF = 'spam.proof_of_work.require';

const pointsOf = (name: string) => `spam.signals.${name}.points`;

/** Returns a number that may have a comma; NaN, which no rule takes, for anything else. */
function numberOf(text: string): number {
  return text === '' ? NaN : Number(text.replace(',', '.'));
}
