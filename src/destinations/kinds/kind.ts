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
