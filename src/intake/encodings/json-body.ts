import type { TextDecoder } from 'node:util';
import {
  jsonDepth,
  jsonElements,
  jsonMembers,
  type JsonMember,
} from '../../platform/kernel/text/json-text.js';
import { decodeText } from './charset.js';
import { FieldLimitExceeded, UnreadableSubmission, SubmissionTooLarge } from '../model/success.js';
import type { Config } from '../../platform/config/config.js';
import { byteSize } from '../../platform/kernel/byte-size.js';

/**
 * Reads a JSON object into its members, in the order they were written; nested values stay JSON text.
 * @param declared the charset of the Content-Type, if it names one
 * @throws UnreadableSubmission, FieldLimitExceeded
 */
export function parseJsonBody(
  body: Buffer,
  declared: TextDecoder | null,
  limits: SubmissionLimits,
): JsonMember[] {
  const text = textOf(body, declared);
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

/** Tells whether a media type is one of JSON, as scripts write it. @param type in lower case, without parameters */
export function isJsonType(type: string): boolean {
  return /(?:[/+]|x-)json$/.test(type);
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
 * @param declared the charset of the Content-Type, if it names one
 */
export function isJsonObject(body: Buffer, declared: TextDecoder | null): boolean {
  return isObject(textOf(body, declared));
}

function textOf(body: Buffer, declared: TextDecoder | null): string {
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

/**
 * Checks the limits of a submission, its fields and files, the same for every encoding. Lengths are those of texts with one character a
 * byte; errors name fields as text.
 */
export class SubmissionLimits {
  /** @param tokens names of fields that are as long as a body may be, since they are not stored */
  constructor(
    private readonly config: Config,
    private readonly tokens: ReadonlySet<string> = new Set(),
  ) {}

  get maxFields(): number {
    return this.config.intake.maxFields;
  }

  get maxFiles(): number {
    return this.config.intake.maxFiles;
  }

  get maxNameBytes(): number {
    return this.config.intake.maxFieldNameBytes;
  }

  get maxBodyBytes(): number {
    return this.config.intake.maxBodyBytes;
  }

  get maxFileBytes(): number {
    return this.config.intake.maxFileBytes;
  }

  get maxUploadBytes(): number {
    return this.config.intake.maxUploadBytes;
  }

  get maxJsonDepth(): number {
    return this.config.intake.maxJsonDepth;
  }

  checkName(name: string): string {
    if (name.length <= this.maxNameBytes) return name;
    throw new FieldLimitExceeded(
      'field_name_too_long',
      decodeText(name, null).slice(0, 64),
      `A field name is longer than ${byteSize(this.maxNameBytes)}.`,
    );
  }

  /** Tokens are not stored, and whatever they have is no reason to refuse the rest. */
  maxValueBytesOf(name: string): number {
    const { maxBodyBytes, maxFieldValueBytes } = this.config.intake;
    return this.tokens.has(name) ? maxBodyBytes : maxFieldValueBytes;
  }

  checkValue(name: string, value: string): string {
    if (value.length <= this.maxValueBytesOf(name)) return value;
    throw this.valueTooLong(name);
  }

  valueTooLong(name: string): FieldLimitExceeded {
    return new FieldLimitExceeded(
      'field_too_long',
      name,
      `The field "${name.slice(0, 64)}" is longer than ${byteSize(this.maxValueBytesOf(name))}.`,
    );
  }

  tooManyFields(): FieldLimitExceeded {
    return new FieldLimitExceeded(
      'too_many_fields',
      null,
      `The form has more than ${this.maxFields} fields.`,
    );
  }

  tooManyItems(): FieldLimitExceeded {
    return new FieldLimitExceeded(
      'too_many_fields',
      null,
      `The JSON has more than ${this.maxFields} values, each item of a list counted.`,
    );
  }

  tooManyFiles(): FieldLimitExceeded {
    return new FieldLimitExceeded(
      'too_many_files',
      null,
      `You can send up to ${this.maxFiles} files at once.`,
    );
  }

  bodyTooLarge(): SubmissionTooLarge {
    return new SubmissionTooLarge(
      'too_large',
      `The submission is larger than ${byteSize(this.maxBodyBytes)}, not counting files.`,
    );
  }

  fileTooBig(name: string): SubmissionTooLarge {
    return new SubmissionTooLarge(
      'files_too_big',
      `The file "${name.slice(0, 64)}" is larger than ${byteSize(this.maxFileBytes)}.`,
    );
  }

  filesTooBig(): SubmissionTooLarge {
    return new SubmissionTooLarge(
      'files_too_big',
      `All files together are larger than ${byteSize(this.maxUploadBytes)}.`,
    );
  }
}
