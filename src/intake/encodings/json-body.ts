import type { TextDecoder } from 'node:util';
import { jsonDepth, jsonElements, jsonMembers, type JsonMember } from '../../platform/index.js';
import { decodeText } from './charset.js';
import { FieldLimitExceeded, UnreadableSubmission } from '../model/intake.errors.js';
import type { SubmissionLimits } from './submission-limits.js';

/**
 * Reads a JSON object into its members, in the order they were written; nested values stay JSON text.
 * @param declared the charset of the Content-Type, if it names one
 * @throws UnreadableSubmission, FieldLimitExceeded
 */
export function parseJsonBody(body: Buffer, declared: TextDecoder | null, limits: SubmissionLimits): JsonMember[] {
  const text = textOf(body, declared);
  if (jsonDepth(text) > limits.maxJsonDepth) {
    throw new FieldLimitExceeded('too_deep', null, `The JSON has more than ${limits.maxJsonDepth} levels.`);
  }
  if (!isObject(text)) {
    throw new UnreadableSubmission('The body is not a JSON object. Send one, such as {"email":"jane@example.com"}.');
  }
  const members = jsonMembers(text);
  checkMembers(members, limits);
  return members;
}

/** Tells whether a media type is one of JSON, as scripts write it. @param type in lower case, without parameters */
export function isJsonType(type: string) {
  return /(?:[/+]|x-)json$/.test(type);
}

/** Refuses too many values, and names and values that are too long. @throws FieldLimitExceeded */
export function checkMembers(members: readonly JsonMember[], limits: SubmissionLimits) {
  if (members.length > limits.maxFields) throw limits.tooManyFields();
  if (valuesIn(members) > limits.maxFields) throw limits.tooManyItems();
  for (const { name, json } of members) {
    if (Buffer.byteLength(name) > limits.maxNameBytes) limits.checkName(Buffer.from(name).toString('latin1'));
    if (isLonger(json, limits.maxValueBytesOf(name))) throw limits.valueTooLong(name);
  }
}

/** Counts values as the value index does: each item of a list is one. */
function valuesIn(members: readonly JsonMember[]) {
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
function isLonger(json: string, maxBytes: number) {
  if (Buffer.byteLength(json) <= maxBytes) return false;
  return !json.startsWith('"') || Buffer.byteLength(JSON.parse(json) as string) > maxBytes;
}

/**
 * Tells whether a body is a JSON object, whatever its Content-Type says.
 * @param declared the charset of the Content-Type, if it names one
 */
export function isJsonObject(body: Buffer, declared: TextDecoder | null) {
  return isObject(textOf(body, declared));
}

function textOf(body: Buffer, declared: TextDecoder | null) {
  return decodeText(body.toString('latin1'), declared).trim();
}

function isObject(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
