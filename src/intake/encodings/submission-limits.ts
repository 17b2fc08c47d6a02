import { decodeText } from './charset.js';
import { FieldLimitExceeded, SubmissionTooLarge } from '../model/intake.errors.js';
import { type Config, byteSize } from '../../platform/index.js';

/**
 * Checks the limits of a submission, its fields and files, the same for every encoding. Lengths are of texts with one
 * character a byte; errors name fields as text.
 */
export class SubmissionLimits {
  /** @param tokens names of fields that are as long as a body may be, since they are not stored */
  constructor(
    private readonly config: Config,
    private readonly tokens: ReadonlySet<string> = new Set(),
  ) {}

  get maxFields() {
    return this.config.intake.maxFields;
  }

  get maxFiles() {
    return this.config.intake.maxFiles;
  }

  get maxNameBytes() {
    return this.config.intake.maxFieldNameBytes;
  }

  get maxBodyBytes() {
    return this.config.intake.maxBodyBytes;
  }

  get maxFileBytes() {
    return this.config.intake.maxFileBytes;
  }

  get maxUploadBytes() {
    return this.config.intake.maxUploadBytes;
  }

  get maxJsonDepth() {
    return this.config.intake.maxJsonDepth;
  }

  checkName(name: string) {
    if (name.length <= this.maxNameBytes) return name;
    throw new FieldLimitExceeded(
      'field_name_too_long',
      decodeText(name, null).slice(0, 64),
      `A field name is longer than ${byteSize(this.maxNameBytes)}.`,
    );
  }

  /** Tokens are not stored, and whatever they have is no reason to refuse the rest. */
  maxValueBytesOf(name: string) {
    const { maxBodyBytes, maxFieldValueBytes } = this.config.intake;
    return this.tokens.has(name) ? maxBodyBytes : maxFieldValueBytes;
  }

  checkValue(name: string, value: string) {
    if (value.length <= this.maxValueBytesOf(name)) return value;
    throw this.valueTooLong(name);
  }

  valueTooLong(name: string): FieldLimitExceeded {
    return new FieldLimitExceeded('field_too_long', name, {
      key: 'error.field_too_long',
      values: { name: name.slice(0, 64), size: byteSize(this.maxValueBytesOf(name)) },
    });
  }

  tooManyFields(): FieldLimitExceeded {
    return new FieldLimitExceeded('too_many_fields', null, `The form has more than ${this.maxFields} fields.`);
  }

  tooManyItems(): FieldLimitExceeded {
    return new FieldLimitExceeded(
      'too_many_fields',
      null,
      `The JSON has more than ${this.maxFields} values, each item of a list counted.`,
    );
  }

  tooManyFiles(): FieldLimitExceeded {
    const said = { key: 'error.too_many_files', values: { count: this.maxFiles } } as const;
    return new FieldLimitExceeded('too_many_files', null, said);
  }

  bodyTooLarge(): SubmissionTooLarge {
    return new SubmissionTooLarge('too_large', {
      key: 'error.too_large',
      values: { size: byteSize(this.maxBodyBytes) },
    });
  }

  fileTooBig(name: string): SubmissionTooLarge {
    return new SubmissionTooLarge('files_too_big', {
      key: 'error.file_too_big',
      values: { name: name.slice(0, 64), size: byteSize(this.maxFileBytes) },
    });
  }

  filesTooBig(): SubmissionTooLarge {
    return new SubmissionTooLarge('files_too_big', {
      key: 'error.files_too_big',
      values: { size: byteSize(this.maxUploadBytes) },
    });
  }
}
