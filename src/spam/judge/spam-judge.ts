import { Inject, Injectable } from '@nestjs/common';
import { SIGNALS } from '../signals/index.js';
import { honeypot } from '../signals/honeypot.js';
import type { SpamEvidence, FoundPart, SignalDefaults, SlowSignal } from '../evidence/spam-evidence.js';
import type { SpamSettings } from './spam-settings.js';
import { rounded, sumOf, Verdict, type Bands, type SpamPart } from '../evidence/verdict.js';

/** The list of signals that wait for something. */
export const SLOW_SIGNALS = Symbol('slow signals');
/** How long all slow signals together may keep a visitor waiting, in milliseconds. */
const SLOW_MS = 2_000;
/** Time reserved for signals that are asked last, in milliseconds. */
const LAST_MS = 1_000;
const SUPPORTING = new Set(SIGNALS.filter(({ supports }) => supports).map(({ name }) => name));

/** Judges submissions, the same for every encoding. Spam is kept and explained, never refused. */
@Injectable()
export class SpamJudge {
  constructor(@Inject(SLOW_SIGNALS) private readonly slow: readonly SlowSignal[]) {}

  /** Asks all signals that the form has on; the slow ones at the same time. */
  async judge(evidence: SpamEvidence, settings: SpamSettings): Promise<Verdict> {
    const parts: FoundPart[] = [];
    for (const { name, look } of SIGNALS) {
      const part = settings.weightOf(name).enabled ? look(evidence, settings) : null;
      if (part) parts.push(part);
    }
    const slow = this.slow.filter(
      (one) =>
        settings.weightOf(one.name).enabled && (one.isUsedBy?.(settings) ?? true) && one.isSilent?.(evidence) !== true,
    );
    if (slow.length === 0) return verdictOf(parts, settings);
    const last = slow.filter((one) => one.last);
    const first = slow.filter((one) => !one.last);
    const begin = performance.now();
    const firstMs = last.length === 0 ? SLOW_MS : SLOW_MS - LAST_MS;
    parts.push(...(await this.ask(first, evidence, settings, firstMs)));
    const isSettled = parts.some(({ allows }) => allows) || verdictOf(parts, settings).isSpam;
    const leftMs = SLOW_MS - (performance.now() - begin);
    if (!isSettled) parts.push(...(await this.ask(last, evidence, settings, leftMs)));
    return verdictOf(parts, settings);
  }

  /**
   * Judges by what is stored of a submission. What a signal found that looks at more stays, by its weight of now.
   * @param former the parts of its verdict
   * @throws whatever a signal throws that looks again: to know nothing would change verdicts
   */
  async judgeAgain(evidence: SpamEvidence, settings: SpamSettings, former: readonly SpamPart[]): Promise<Verdict> {
    const parts: FoundPart[] = [];
    const never = new AbortController().signal;
    for (const signal of [...SIGNALS, ...this.slow]) {
      if (!settings.weightOf(signal.name).enabled) continue;
      const found = signal.again ? await signal.look(evidence, settings, never) : null;
      const before = former.find(({ name }) => name === signal.name);
      if (found) parts.push(found);
      else if (before && (await mayHold(signal, evidence))) parts.push(kept(before, settings));
    }
    return verdictOf(parts, settings);
  }

  private async ask(signals: SlowSignal[], evidence: SpamEvidence, settings: SpamSettings, ms: number) {
    if (signals.length === 0) return [];
    const end = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        end.abort();
        resolve(null);
      }, ms);
    });
    const found = await Promise.all(
      signals.map((signal) => {
        const unanswered = () => signal.unanswered?.(settings) ?? null;
        const looking = signal.look(evidence, settings, end.signal).catch(unanswered);
        return Promise.race([looking, ended.then(unanswered)]);
      }),
    );
    clearTimeout(timer);
    return found.flatMap((part) => part ?? []);
  }
}

function verdictOf(parts: readonly FoundPart[], settings: SpamSettings) {
  if (parts.length === 0) return Verdict.CLEAN;
  const speaks = parts.some(({ name, allows }) => !SUPPORTING.has(name) && !allows);
  return Verdict.of(speaks ? settled(parts, settings) : [], settings);
}

/** Tells whether what a signal found before may hold, though it finds nothing now. */
async function mayHold(signal: SignalDefaults & Pick<SlowSignal, 'mayHold'>, evidence: SpamEvidence) {
  return signal.again !== true || (await signal.mayHold?.(evidence)) === true;
}

/** Returns a part from before, by the rules of now; what speaks for a submission has no share. */
function kept(part: SpamPart, settings: SpamSettings): FoundPart {
  const speaksFor = part.share === undefined && part.points <= 0;
  if (speaksFor) return { ...part, allows: true };
  return { ...settings.weighedAnew(part), ...(settings.holds(part) && { holds: true }) };
}

/**
 * Makes what speaks for a submission worth all that was found against it, but for a filled honeypot; and what is to
 * be held worth as much as that takes.
 */
function settled(parts: readonly FoundPart[], { heldAt }: Bands): SpamPart[] {
  const against = parts.filter(({ name, allows }) => name !== honeypot.name && !allows);
  const sum = sumOf(against);
  const isAllowed = parts.some(({ allows }) => allows);
  const missing = isAllowed ? 0 : Math.max(rounded(heldAt - sumOf(parts)), 0);
  const holding = parts.find(({ holds }) => holds);
  return parts.map((part) => {
    const { name, reason, share } = part;
    if (part.allows) return { name, reason, points: 0 - sum };
    const points = part.points + (part === holding ? missing : 0);
    return { name, reason, points, ...(share !== undefined && { share }) };
  });
}
