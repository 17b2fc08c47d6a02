import type { AttemptResult } from '../../deliveries/model/attempt-result.js';
import { parseLoginUrl } from '../../forms/model/login-url.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import type { Call } from '../../webhooks/calls.js';

/** Settings of a destination, secrets among them, by name. */
export type KindSettings = Readonly<Record<string, string | undefined>>;

/** One setting of a kind. */
export interface KindSetting {
  /** Longest value, in characters. */
  max: number;
  isRequired?: true;
  /** It is stored sealed and never shown again. */
  isSecret?: true;
  /** It signs what is sent, and is never sent itself. */
  isSigned?: true;
  /** It is an address that we call. */
  isAddress?: true;
  /** It has several lines. */
  isLong?: true;
  /** Values that it can have; the first is the default. */
  choices?: readonly string[];
  /** Brings a value into its normal form; of one that has none it returns null, or what it must be. */
  parse?: (text: string) => string | null | { must: string };
  /** Says what a value must be. */
  must?: string;
}

/** Facts that a call tells besides the submission. */
export interface Extras {
  /** Names the delivery, the same on every attempt. */
  id: string;
  now: Date;
  /** One for each file, in order; they work without a token and expire. */
  fileLinks: readonly string[];
  /** Address of the submission for people who sign in. */
  page: string;
}

/** A kind of destination: what it needs to know, and how it writes a call. */
export interface DestinationKind {
  settings: Readonly<Record<string, KindSetting>>;
  /** Returns the settings that are required beside others and missing. */
  missing?: (settings: KindSettings) => string[];
  /** The host that is called where no setting names another. */
  host?: string;
  /** Writes the call about a submission; null for a kind that sends mails. */
  request: ((full: SubmissionInFull, settings: KindSettings, extras: Extras) => Call) | null;
  /** Returns the settings by which an answer says that the place has moved, none of them secret; null where it has not. */
  moved?: (ended: AttemptResult) => Record<string, string> | null;
  /** Says how an attempt ended that was answered, where the status alone does not tell. */
  read?: (ended: AttemptResult) => AttemptResult;
}

/** Longest name of a host (RFC 1035), in characters. */
const HOST_MAX = 253;

/** Reads an address that we call; null for what is none, or what it must be. */
function parseAddress(text: string): string | null | { must: string } {
  const address = parseLoginUrl(text);
  if (typeof address !== 'string') return address;
  return new URL(address).hostname.length <= HOST_MAX ? address : null;
}

/** An address that we call. A user and a password in it are secret. */
export const ADDRESS = {
  max: 2_048,
  isAddress: true,
  parse: parseAddress,
  must: 'must be an absolute http or https address, with a user and password or without',
} as const satisfies KindSetting;

/** An address of a service to which whoever knows it can write. */
export const SECRET_ADDRESS = {
  ...ADDRESS,
  isRequired: true,
  isSecret: true,
} as const satisfies KindSetting;

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
  return ended.verdict === 'deferred' && FINAL.includes(ended.code)
    ? { ...ended, verdict: 'refused' }
    : ended;
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
