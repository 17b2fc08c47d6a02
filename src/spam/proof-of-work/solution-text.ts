import type { Challenge, Solution } from 'altcha-lib/types';

/** Longer text is no solution, in characters: solvers of browsers write less than 800. */
const TEXT_MAX = 2_000;

/** A challenge with its solution, as a visitor sends it. */
export interface SentSolution {
  challenge: Challenge;
  solution: Solution;
}

/** Reads the field `altcha`: JSON in base64. Returns null for anything else; nothing in it is checked. */
export function readSolution(text: string): SentSolution | null {
  if (text.length > TEXT_MAX) return null;
  try {
    const sent: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    const { challenge, solution } = sent as { challenge?: unknown; solution?: unknown };
    const { parameters, signature } = challenge as { parameters?: unknown; signature?: unknown };
    if (!isObject(parameters) || !isObject(solution) || typeof signature !== 'string') return null;
    return sent as SentSolution;
  } catch {
    return null;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
