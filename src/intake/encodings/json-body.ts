import {
  jsonDepth,
  jsonElements,
  jsonMembers,
  type JsonMember,
} from '../../platform/kernel/text/json-text.js';
import { decodeText, decoderFor } from './charset.js';
import type { SubmissionLimits } from './submission-limits.js';
import { FieldLimitExceeded, UnreadableSubmission } from '../model/intake.errors.js';

/**
 * Reads a JSON object into its members, in the order they were written; nested values stay JSON text.
 * @param charset from the Content-Type, if it names one
 * @throws UnreadableSubmission, FieldLimitExceeded, UnknownEncoding
 */
export function parseJsonBody(
  body: Buffer,
  charset: string | null,
  limits: SubmissionLimits,
): JsonMember[] {
  const text = textOf(body, charset);
  if (jsonDepth(text) > limits.maxJsonDepth) {
    throw new FieldLimitExceeded(
      'too_deep',
      null,
      `The JSON has more than ${limits.maxJsonDepth} levels.`,
    );
  }
  if (!isObject(text)) {
    throw new UnreadableSubmission(
      'The body is not a JSON object. Send one, such as {"email":"jane@example.com"}.',
    );
  }
  const members = jsonMembers(text);
  checkMembers(members, limits);
  return members;
}

/** Refuses too many values, and names and values that are too long. @throws FieldLimitExceeded */
export function checkMembers(members: readonly JsonMember[], limits: SubmissionLimits): void {
  if (members.length > limits.maxFields) throw limits.tooManyFields();
  if (valuesIn(members) > limits.maxFields) throw limits.tooManyItems();
  for (const { name, json } of members) {
    if (Buffer.byteLength(name) > limits.maxNameBytes)
      limits.checkName(Buffer.from(name).toString('latin1'));
    if (isLonger(json, limits.maxValueBytesOf(name))) throw limits.valueTooLong(name);
  }
}

/** Counts values as the value index does: each item of a list is one. */
function valuesIn(members: readonly JsonMember[]): number {
  let count = 0;
  for (const { json } of members) {
    count += json.startsWith('[') ? Math.max(jsonElements(json).length, 1) : 1;
  }
  return count;
}

/**
 * Tells whether a value is too long. A text counts without its JSON escapes, so that a form's limit is the
 * same in every encoding.
 */
function isLonger(json: string, maxBytes: number): boolean {
  if (Buffer.byteLength(json) <= maxBytes) return false;
  return !json.startsWith('"') || Buffer.byteLength(JSON.parse(json) as string) > maxBytes;
}

/**
 * Tells whether a body is a JSON object, whatever its Content-Type says.
 * @param charset from the Content-Type, if it names one
 * @throws UnknownEncoding
 */
export function isJsonObject(body: Buffer, charset: string | null): boolean {
  return isObject(textOf(body, charset));
}

function textOf(body: Buffer, charset: string | null): string {
  const declared = charset === null ? null : decoderFor(charset);
  return decodeText(body.toString('latin1'), declared).trim();
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
