import { Injectable } from '@nestjs/common';
import { TransactionalRepository } from '../platform/database/sql.js';
import { VisitorAttachment, type VisitorAttachmentFacts } from './model/form.entity.js';

/** Reads and writes the files that go along with mails to visitors. */
@Injectable()
export class VisitorAttachmentsRepository extends TransactionalRepository {
  private readonly attachments = this.rowsOf(VisitorAttachment);

  find(formId: number): Promise<VisitorAttachmentFacts | null> {
    return this.attachments.findOneBy({ formId });
  }

  /** Returns the file with its bytes. */
  open(formId: number): Promise<VisitorAttachment | null> {
    const select = { formId: true, name: true, mediaType: true, size: true, content: true };
    return this.attachments.findOne({ select, where: { formId } });
  }

  async replace(attachment: VisitorAttachment): Promise<void> {
    await this.remove(attachment.formId);
    await this.attachments.insert(attachment);
  }

  /** Gives a new form the file of another, where there is one. */
  async copy(fromId: number, formId: number): Promise<void> {
    const file = await this.open(fromId);
    if (file) await this.attachments.insert(Object.assign(file, { formId }));
  }

  async remove(formId: number): Promise<void> {
    await this.attachments.delete({ formId });
  }
}
