import type { Colleague } from '../assignees/assignees.service.js';

/** A person whom a note mentions. */
export interface Mention {
  /** Id of the person. */
  id: number;
  /** Name of the person at that time. */
  name: string;
  /** Text after the `@`: the name or the address, as it was typed. */
  label: string;
}

/** Most people whom one note tells. */
export const MENTIONS_MAX = 20;

/** Most places of one note that are looked at for who is mentioned, and marked. */
const PLACES_MAX = 100;

/**
 * Finds who of these people is mentioned: by `@` and the name, or by `@` and the email address, in any case of
 * letters. Two of one name are both meant.
 * @returns each person once, in the order of the text; the first MENTIONS_MAX
 */
export function mentionsIn(text: string, people: readonly Colleague[]): Mention[] {
  const found = new Map<number, Mention>();
  const lower = text.toLowerCase();
  const named = new Map<string, Colleague[]>();
  for (const person of people) {
    for (const label of new Set([person.name.toLowerCase(), person.email.toLowerCase()])) {
      if (!lower.includes(`@${label}`)) continue;
      const same = named.get(label);
      if (same) same.push(person);
      else named.set(label, [person]);
    }
  }
  for (const { label } of splitAtMentions(text, [...named.keys()])) {
    for (const { id, name } of named.get(label?.toLowerCase() ?? '') ?? []) {
      if (!found.has(id)) found.set(id, { id, name, label: label ?? '' });
    }
  }
  return [...found.values()].slice(0, MENTIONS_MAX);
}

/**
 * Cuts a text where one of these labels stands after an `@`, at the first PLACES_MAX places; `label` is null for what is
 * between.
 */
export function splitAtMentions(text: string, labels: readonly string[]): { text: string; label: string | null }[] {
  const known = [...new Set(labels)].filter((label) => label.trim() !== '');
  if (known.length === 0) return [{ text, label: null }];
  const choice = known
    .sort((a, b) => b.length - a.length)
    .map((label) => label.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('|');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_@.])@(${choice})(?![\\p{L}\\p{N}_@])`, 'giu');
  const parts: { text: string; label: string | null }[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), label: null });
    parts.push({ text: match[0], label: match[1] ?? '' });
    end = match.index + match[0].length;
    if (parts.length >= 2 * PLACES_MAX) break;
  }
  return end < text.length ? [...parts, { text: text.slice(end), label: null }] : parts;
}

/** Returns a text that mentions this person too; by address where another has the same name. */
export function withMention(text: string, person: Colleague, people: readonly Colleague[]) {
  if (mentionsIn(text, [person]).length > 0) return text;
  const hasTwin = people.some(({ id, name }) => id !== person.id && isSame(name, person.name));
  return `${text} @${hasTwin ? person.email : person.name}`.trim();
}

function isSame(one: string, other: string) {
  return one.toLowerCase() === other.toLowerCase();
}
