import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Scope, Principal } from '../accounts/access/index.js';
import { ATTACHMENT_MAX_BYTES, VisitorAttachment, type VisitorAttachmentFacts } from './model/form.entity.js';
import { AttachmentRefused } from './model/form.errors.js';
import { formChanged } from './model/form-changes.js';
import { AuditService } from '../accounts/audit/audit.service.js';
import { UnitOfWork } from '../platform/database/index.js';
import { assertMayChange } from './access/may-change.js';
import { FormQueries } from './form-queries.service.js';
import { VisitorAttachmentsRepository } from './forms.repository.js';

const PDF = Buffer.from('%PDF-');

/** Keeps the file that goes along with each mail of a form to a visitor. */
@Injectable()
export class VisitorAttachments {
  constructor(
    private readonly attachments: VisitorAttachmentsRepository,
    private readonly forms: FormQueries,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns what the file of a form is, whose scope was checked already; null for none. */
  find(formId: number): Promise<VisitorAttachmentFacts | null> {
    return this.attachments.find(formId);
  }

  /** Returns the same with its bytes. */
  open(formId: number): Promise<VisitorAttachment | null> {
    return this.attachments.open(formId);
  }

  /** @throws FormNotFound */
  async get(scope: Scope, identifier: string): Promise<VisitorAttachment | null> {
    const { id } = await this.forms.get(scope, identifier);
    return this.open(id);
  }

  /**
   * Sets the file, in place of any that is there.
   * @param field path of the bytes in the caller's input, for the error
   * @throws FormNotFound, FormNotOwn, AttachmentRefused
   */
  async set(principal: Principal, identifier: string, name: string, content: Buffer, field: string) {
    if (content.length > ATTACHMENT_MAX_BYTES) throw new AttachmentRefused(field);
    const mediaType = content.subarray(0, PDF.length).equals(PDF) ? 'application/pdf' : 'application/octet-stream';
    await this.change(principal, identifier, (tx, formId) =>
      this.attachments.in(tx).replace({ ...{ formId, name, mediaType, content }, size: content.length }),
    );
  }

  /** @throws FormNotFound, FormNotOwn */
  remove(principal: Principal, identifier: string) {
    return this.change(principal, identifier, (tx, formId) => this.attachments.in(tx).remove(formId));
  }

  private async change(
    principal: Principal,
    identifier: string,
    work: (tx: EntityManager, formId: number) => Promise<void>,
  ) {
    const form = await this.forms.get(principal, identifier);
    assertMayChange(principal, form);
    await this.unitOfWork.run(async (tx) => {
      // Two that set it at once, or delete the form, come one after the other.
      await this.forms.lockCount(tx, form.id);
      if (!(await this.forms.find(form.id, tx))) return;
      await work(tx, form.id);
      const details = { settings: 'visitor_mail_attachment' };
      await this.audit.recordBy(tx, principal, formChanged(form, details));
    });
  }
}
