import { asked } from '../../platform/http/shapes.js';
import { Parsed, Required, Text } from '../../platform/kernel/validation.js';
import { ATTACHMENT_NAME_MAX, type VisitorAttachment } from '../model/form.entity.js';

/** Returns base64 without blanks, or null for what is none. */
function parseBase64(value: unknown): string | null {
  if (typeof value !== 'string' || value.length % 4 !== 0) return null;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(value) ? value : null;
}

/** A file to send along. */
class AttachmentContentDto {
  /** Name of the file, such as `terms.pdf`. */
  @Text({ min: 1, max: ATTACHMENT_NAME_MAX, trim: true })
  @Required()
  name: string;

  /** The bytes in base64, at most 2 MB of them. */
  @Parsed('not_base64', parseBase64, 'must be the bytes of a file in base64')
  @Required()
  content: string;
}

export class SetVisitorAttachmentDto extends asked('attachment', AttachmentContentDto) {}

export class ShownAttachmentDto {
  name: string;
  media_type: string;
  /** In bytes. */
  size: number;
  /** The bytes in base64. */
  content: string;
}

/** The file that goes along with each email of a form to a visitor; null for none. */
export class VisitorAttachmentDto {
  attachment: ShownAttachmentDto | null;

  static from(found: VisitorAttachment | null): VisitorAttachmentDto {
    if (!found) return { attachment: null };
    const { name, mediaType: media_type, size, content } = found;
    return { attachment: { name, media_type, size, content: content.toString('base64') } };
  }
}
