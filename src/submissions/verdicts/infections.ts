import type { Bands, Verdict } from '../../spam/evidence/verdict.js';
import { cutAt } from '../../platform/kernel/text/beginning.js';
import { shortReason } from './short-reason.js';

/** Longest part of the name of a file in a reason, in characters. */
const NAME_MAX = 60;

/** A file with what its scan for viruses found. */
interface ScannedFile {
  name: string;
  scan?: { virus: string | null };
}

/** Returns a verdict that holds a submission for its infected files too; the same verdict if there are none. */
export function heldForViruses(
  files: readonly ScannedFile[],
  verdict: Verdict,
  bands: Bands,
): Verdict {
  const reasons = files.flatMap(({ name, scan }) =>
    scan?.virus == null ? [] : [`The file “${cutAt(name, NAME_MAX)}” is infected (${scan.virus}).`],
  );
  if (reasons.length === 0) return verdict;
  const known = verdict.infection;
  const reason = [...(known ? [known.reason] : []), ...reasons].join(' ');
  return verdict.infected(shortReason(reason), bands);
}
