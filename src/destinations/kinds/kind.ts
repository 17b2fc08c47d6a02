import { beginningOf, cutAt, byteSize, templateProblem } from '../../platform/index.js';
import type { AttemptResult } from '../../deliveries/model/outcome.js';
import { parseLoginUrl } from '../../forms/model/form-values.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import type { Call } from './calls.js';
import { lineLabel } from '../../submissions/model/preview.js';
import { piecesOf } from './addresses.js';

/** Settings of a destination, secrets among them, by name. */
export type KindSettings = Readonly<Record<string, string | undefined>>;

/** One setting of a kind. */
export interface KindSetting {
  /** Its name on pages, and a sentence about it. */
  label?: string;
  hint?: string;
  /** Heading of the fold in which pages have it; absent for one that everybody needs. */
  fold?: string;
  /** Longest value, in characters. */
  max: number;
  isRequired?: true;
  /** It is stored sealed and never shown again. */
  isSecret?: true;
  /** It signs what is sent, and is never sent itself. */
  isSigned?: true;
  /** It is an address that we call. */
  isAddress?: true;
  /** We set it ourselves; nobody sends or sees it. */
  isOurs?: true;
  /** It has several lines. */
  isLong?: true;
  /** Values that it can have, with what pages call them; the first is the default. */
  choices?: Readonly<Record<string, string>>;
  /** A value matches it, without blanks around it. */
  pattern?: RegExp;
  /** Brings a value into its normal form; of one that has none it returns null, or what it must be. */
  parse?: (text: string) => string | null | { must: string };
  /** Says what a value must be. */
  must?: string;
}

/** Facts that a call tells besides the submission. */
interface Extras {
  /** Names the delivery, the same on every attempt. */
  id: string;
  now: Date;
  /** One for each file, in order; they work without a token and expire. */
  fileLinks: readonly string[];
  /** Address of the submission for people who sign in. */
  page: string;
}

/** A kind of destination: what it needs to know, and how it writes a call, or which mail it sends. */
export interface DestinationKind {
  /** Its name on pages, and where its owner finds what it needs. */
  label: string;
  hint: string;
  settings: Readonly<Record<string, KindSetting>>;
  /** Returns the settings that are required beside others and missing. */
  missing?: (settings: KindSettings) => string[];
  /** The host that is called where no setting names another. */
  host?: string;
  /** The mail that it sends, by who gets it; absent for a kind that makes calls. */
  mail?: 'owner' | 'visitor';
  /** Writes the call about a submission; absent for a kind that sends mails. */
  request?: (full: SubmissionInFull, settings: KindSettings, extras: Extras) => Call;
  /** Returns the settings by which an answer says that the place has moved, none of them secret; null where it has not. */
  moved?: (ended: AttemptResult) => Record<string, string> | null;
  /** Says how an attempt ended that was answered, where the status alone does not tell. */
  read?: (ended: AttemptResult) => AttemptResult;
}

/** Longest name of a host (RFC 1035), in characters. */
const HOST_MAX = 253;

/** Reads an address that we call; null for what is none, or what it must be. */
function parseAddress(text: string) {
  const address = parseLoginUrl(text);
  if (typeof address !== 'string') return address;
  return new URL(address).hostname.length <= HOST_MAX ? address : null;
}

/** Makes a reader of texts that refuses those with a problem, of which it returns what they must be. */
export function readBy(problemOf: (text: string) => string | null) {
  return (text: string): string | { must: string } => {
    const must = problemOf(text);
    return must === null ? text : { must };
  };
}

/** Refuses a text whose tags cannot be read. */
export function parseText(text: string): string | { must: string } {
  const read = readBy(templateProblem)(text);
  return typeof read === 'string' ? read.trim() : read;
}

/** An address that we call. A user and a password in it are secret. */
export const ADDRESS = {
  label: 'URL',
  max: 2_048,
  isAddress: true,
  parse: parseAddress,
  must: 'must be an absolute http or https address, with a user and password or without',
} as const satisfies KindSetting;

/** An address of a service to which whoever knows it can write. */
export const SECRET_ADDRESS = { ...ADDRESS, isRequired: true, isSecret: true } as const satisfies KindSetting;

/** Makes a call with a body of JSON. */
export function jsonCall(url: string, body: unknown, headers: Record<string, string> = {}): Call {
  return {
    url,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  };
}

/** Statuses that stay until a person changes the destination: a secret that is wrong, or a channel that is gone. */
const FINAL: readonly (number | null)[] = [400, 401, 403, 404, 410];

/** Makes a refusal final by which nothing comes of another attempt. */
export function finalBy(ended: AttemptResult): AttemptResult {
  return ended.verdict === 'deferred' && FINAL.includes(ended.code) ? { ...ended, verdict: 'refused' } : ended;
}

/** Makes a refusal of an answer whose status says that it was taken, and whose body does not. */
export function refusedIn(ended: AttemptResult, isTaken: (body: string) => boolean): AttemptResult {
  if (ended.verdict !== 'delivered' || isTaken(ended.answer ?? '')) return ended;
  return { ...ended, verdict: 'deferred', outcome: 'refused' };
}

/** Reads an object of JSON; an empty one where there is none. */
export function objectIn(body: string | null): Record<string, unknown> {
  try {
    const read = JSON.parse(body ?? '') as unknown;
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Adds how long a body asks us to wait, in seconds, where no header said it. */
export function waiting(ended: AttemptResult, seconds: unknown): AttemptResult {
  if (typeof seconds !== 'number' || !(seconds > 0) || ended.verdict !== 'deferred') return ended;
  return { ...ended, retryAfterMs: Math.max(ended.retryAfterMs ?? 0, Math.ceil(seconds * 1_000)) };
}

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
  const { fields: known } = form;
  const fields = known
    .sorted(submission.lines)
    .filter(({ text }) => text.trim() !== '')
    .map(({ name, path, text, embedded }) => ({
      ...{ label: lineLabel(known.labelOf(name), path), text, href: embedded ? page : null },
    }));
  const attached = files.map(({ field, name, size }, index) => ({
    label: known.labelOf(field),
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
function fairShare(lengths: readonly number[], room: number) {
  let left = room;
  for (const [index, length] of [...lengths].sort((one, other) => one - other).entries()) {
    const share = left / (lengths.length - index);
    if (length > share) return Math.max(Math.floor(share) - 1, 0);
    left -= length;
  }
  return Infinity;
}

/** Cuts a text, before an address that it would cut: half of one leads elsewhere. */
function cutText(text: string, max: number) {
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
export function plainText({ title, answers, more, page }: Summary, write: (text: string) => string = (text) => text) {
  const lines = answers.map(
    ({ label, text, href }) => `${write(label)}: ${[write(text), href].filter(Boolean).join(' ')}`,
  );
  return [write(title), '', ...lines, ...(more === null ? [] : [more]), '', page].join('\n');
}

/** Escapes the characters that Slack and cards read as markup, so that no visitor calls out a channel. */
export function escaped(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
