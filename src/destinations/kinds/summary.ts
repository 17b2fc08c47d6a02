import { byteSize } from '../../platform/kernel/byte-size.js';
import { beginningOf, cutAt } from '../../platform/kernel/text/beginning.js';
import { lineLabel } from '../../submissions/model/answer-lines.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import type { Call } from '../../webhooks/calls.js';
import { piecesOf } from './addresses.js';
import type { Extras } from './kind.js';

/** Most answers that a message shows: nobody reads more in a chat. */
const ANSWERS_MAX = 25;
const NAME_MAX = 120;
/** Part of the room that labels take at most. */
const LABELS_SHARE = 0.4;
/** Characters that each answer can have at least; where there is less room, the last ones are left out. */
const ANSWER_MIN = 20;

/** A line of a message: what it is about, and what it says. */
export interface Answer {
  label: string;
  text: string;
  /** Link to a file, of one that was sent as text to the submission; null for what is none. */
  href: string | null;
}

/** A submission as a message of a chat shows it. */
export interface Summary {
  title: string;
  /** Filled-in fields by their labels, and files with their links; long ones cut. */
  answers: Answer[];
  /** Says how many more there are; null for none. */
  more: string | null;
  /** Address of the submission for people who sign in. */
  page: string;
}

/**
 * Returns what a message says of a submission. Answers share its room: short ones are whole, and long ones as long as each
 * other.
 * @param max characters of an answer
 * @param room characters of all answers and labels together
 */
export function summaryOf(
  { form, submission, files }: SubmissionInFull,
  { fileLinks, page }: Extras,
  max: number,
  room: number,
): Summary {
  const { labels } = form;
  const fields = labels
    .sorted(submission.lines)
    .filter(({ text }) => text.trim() !== '')
    .map(({ name, path, text, embedded }) => ({
      ...{ label: lineLabel(labels.of(name), path), text, href: embedded ? page : null },
    }));
  const attached = files.map(({ field, name, size }, index) => ({
    label: labels.of(field),
    text: `${name === '' ? 'File' : name} (${byteSize(size)})`,
    href: fileLinks[index] ?? null,
  }));
  const all = [...fields, ...attached].map(({ label, text, href }) => ({
    ...{ href, label: label.trim() || 'Unnamed', text: text.trim() },
  }));
  const answers = shared(all.slice(0, ANSWERS_MAX), max, room);
  const more = all.length - answers.length;
  return {
    title: cutAt(`New submission: ${form.name}`, NAME_MAX),
    answers,
    more: more === 0 ? null : `${more} more on its page`,
    page,
  };
}

/** Cuts answers so that all fit, and leaves the last ones out where each would be too short. */
function shared(answers: readonly Answer[], max: number, room: number): Answer[] {
  const labels = Math.min(
    fairShare(
      answers.map(({ label }) => label.length + 1),
      room * LABELS_SHARE,
    ),
    NAME_MAX,
  );
  const cut = answers.map((answer) => ({ ...answer, label: cutAt(answer.label, labels) }));
  const taken = cut.reduce((sum, { label, href }) => sum + label.length + (href?.length ?? 0), 0);
  const share = fairShare(
    cut.map(({ text }) => text.length + 1),
    room - taken,
  );
  if (share < ANSWER_MIN && answers.length > 1) return shared(answers.slice(0, -1), max, room);
  return cut.map((answer) => ({ ...answer, text: cutText(answer.text, Math.min(share, max)) }));
}

/** Returns the length to which texts are cut so that all have room: those that are shorter leave theirs to others. */
function fairShare(lengths: readonly number[], room: number): number {
  let left = room;
  for (const [index, length] of [...lengths].sort((one, other) => one - other).entries()) {
    const share = left / (lengths.length - index);
    if (length > share) return Math.max(Math.floor(share) - 1, 0);
    left -= length;
  }
  return Infinity;
}

/** Cuts a text, before an address that it would cut: half of one leads elsewhere. */
function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const beginning = beginningOf(text, max);
  let at = 0;
  for (const { text: piece, isAddress } of piecesOf(text.slice(0, max + 1))) {
    if (isAddress && at > 0 && at + piece.length > max) return `${text.slice(0, at).trimEnd()} …`;
    at += piece.length;
  }
  return `${beginning}…`;
}

/**
 * Writes a message with as much room for answers as its body can have.
 * @param room characters to begin with; halved while the body is larger
 */
export function fitting(maxBytes: number, room: number, write: (room: number) => Call): Call {
  const call = write(room);
  const isLarger = Buffer.byteLength(call.body) > maxBytes;
  return isLarger && room > ANSWER_MIN ? fitting(maxBytes, Math.floor(room / 2), write) : call;
}

/**
 * Returns a message as plain text.
 * @param write writes what people typed
 */
export function plainText(
  { title, answers, more, page }: Summary,
  write: (text: string) => string = (text) => text,
): string {
  const lines = answers.map(
    ({ label, text, href }) => `${write(label)}: ${[write(text), href].filter(Boolean).join(' ')}`,
  );
  return [write(title), '', ...lines, ...(more === null ? [] : [more]), '', page].join('\n');
}

/** Escapes the characters that Slack and cards read as markup, so that no visitor calls out a channel. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
