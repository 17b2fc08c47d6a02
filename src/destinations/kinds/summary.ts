import { byteSize } from '../../platform/kernel/byte-size.js';
import { cutAt } from '../../platform/kernel/text/beginning.js';
import { lineLabel } from '../../submissions/model/answer-lines.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import type { Extras } from './kind.js';

/** Most answers that a message shows: nobody reads more in a chat. */
const ANSWERS_MAX = 25;
const NAME_MAX = 120;

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
 * Returns what a message says of a submission.
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
    href,
    label: cutAt(label.trim() || 'Unnamed', NAME_MAX),
    text: cutAt(text.trim(), max),
  }));
  let left = room;
  const answers = all.slice(0, ANSWERS_MAX).filter(({ label, text, href }) => {
    left -= label.length + text.length + (href?.length ?? 0);
    return left >= 0;
  });
  const more = all.length - answers.length;
  return {
    title: cutAt(`New submission: ${form.name}`, NAME_MAX),
    answers,
    more: more === 0 ? null : `${more} more on its page`,
    page,
  };
}

/** Returns a message as plain text. */
export function plainText({ title, answers, more, page }: Summary): string {
  const lines = answers.map(
    ({ label, text, href }) => `${label}: ${[text, href].filter(Boolean).join(' ')}`,
  );
  return [title, '', ...lines, ...(more === null ? [] : [more]), '', page].join('\n');
}

/** Escapes the characters that Slack and cards read as markup, so that no visitor calls out a channel. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
