import { ValidateIf } from 'class-validator';
import { Parsed } from '../../platform/kernel/validation.js';
import {
  decodeLearnt,
  decodePreview,
  FIELD_NAME_MAX,
  parsePreview,
  PREVIEW_FIELDS_MAX,
} from '../model/preview-fields.js';
import type { Form } from '../model/form.entity.js';

/** Preview of submissions in the rows of the inbox. */
export class PreviewDto {
  /** Names of fields, the one in bold first; null where nobody has chosen. */
  fields: string[] | null;
  /**
   * Without a choice, the fields that tell most, learnt from the newest 50 submissions at 10, at 50 and at each 500
   * more; null before that, and while there is a choice.
   */
  learnt: string[] | null;

  static of({ previewFields }: Form): PreviewDto {
    return {
      fields: decodePreview(previewFields),
      learnt: decodeLearnt(previewFields)?.fields ?? null,
    };
  }
}

export class SetPreviewDto {
  /** 1 to 10 names of fields, each once, the one in bold first; null has them chosen by what they hold. */
  @Parsed(
    'not_fields',
    parsePreview,
    `must be a list of 1 to ${PREVIEW_FIELDS_MAX} names of fields, each once and of at most ${FIELD_NAME_MAX} characters, or null`,
  )
  @ValidateIf((_, value: unknown) => value !== null)
  fields: string[] | null;
}
