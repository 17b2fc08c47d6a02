import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Largest file that goes along with the mails of a form, in bytes: each mail carries it. */
export const ATTACHMENT_MAX_BYTES = 2 * 1024 * 1024;
/** Longest name of such a file, in characters. */
export const ATTACHMENT_NAME_MAX = 100;

/** A file that goes along, without its bytes. */
export type VisitorAttachmentFacts = Pick<VisitorAttachment, 'name' | 'mediaType' | 'size'>;

/** Stores the file that goes along with each mail of a form to a visitor. */
@Entity('visitor_attachments')
export class VisitorAttachment {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  @Column('varchar', { name: 'name', length: 255 })
  name: string;

  @Column('varchar', { name: 'media_type', length: 100 })
  mediaType: string;

  @Column('int', { name: 'size' })
  size: number;

  @Column('mediumblob', { name: 'content', select: false })
  content: Buffer;
}
