import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { previewOf, type Preview } from '../../submissions/model/preview.js';
import { valueFieldsOf } from '../rows/rows.js';

/** Fields that the page offers, at most: the choice is of a few. */
const OFFERED_MAX = 100;

/** Rows that show what the choice makes of submissions. */
const SAMPLES = 3;

/** Longest example of a value, in characters. */
const EXAMPLE_MAX = 80;

/** A field on the page: its name, a value of it, and its place in rows; '' for none. */
export interface FieldOffered {
  name: string;
  example: string;
  place: string;
}

/** Returns the fields that the page offers: those chosen in their order, then others that were sent lately. */
export function fieldsOffered(
  chosen: readonly string[] | null,
  newest: readonly SubmissionInFull[],
): FieldOffered[] {
  const names = [...new Set([...(chosen ?? []), ...valueFieldsOf(newest)])];
  return names.slice(0, OFFERED_MAX).map((name) => {
    const place = chosen?.indexOf(name) ?? -1;
    return { name, example: exampleOf(name, newest), place: place < 0 ? '' : String(place + 1) };
  });
}

/** Returns the fields that were given a place, in the order of the places; null when none was: they are chosen then. */
export function fieldsChosen(names: string[], places: string[]): string[] | null {
  const given = names.flatMap((name, index) => {
    const place = places[index]?.trim() ?? '';
    return place === '' ? [] : { name, place: Number(place) };
  });
  given.sort((one, other) => (one.place || OFFERED_MAX) - (other.place || OFFERED_MAX));
  return given.length === 0 ? null : given.map(({ name }) => name);
}

/** Returns what rows of the newest submissions show. */
export function samplesOf(
  previewFields: string | null,
  newest: readonly SubmissionInFull[],
): Preview[] {
  return newest
    .slice(0, SAMPLES)
    .map(({ submission }) => previewOf(submission.lines, previewFields));
}

function exampleOf(field: string, newest: readonly SubmissionInFull[]): string {
  for (const { submission } of newest) {
    const found = submission.lines.find(({ name, text }) => name === field && text.trim());
    if (found) return found.text.trim().slice(0, EXAMPLE_MAX);
  }
  return '';
}
