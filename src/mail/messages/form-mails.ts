import { Injectable } from '@nestjs/common';
import { BrandsService, type Brand } from '../../brands/brands.service.js';
import { FilesService } from '../../files/files.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import { VisitorAttachments } from '../../forms/visitor-attachments.service.js';
import type { FileScan } from '../../files/scans/file-scan.entity.js';
import { Config } from '../../platform/config/config.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { Confirmations } from '../../submissions/confirmations/confirmations.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import type { Attachment, Message } from '../parts/message.js';
import { sendAs, sentBy } from '../parts/sent-by.js';
import { ownerMail } from './owner-mail.js';
import type { OwnerTemplate } from './owner-template.js';
import { optInMail, submitterMail } from './visitor-mails.js';

/** Files that go along with a mail, in bytes of all together; the others are links. */
const ATTACHED_MAX_BYTES = 5 * 1024 * 1024;

/** The mails that a form sends for a submission, by who gets them. */
export const FORM_MAILS = ['owner', 'visitor'] as const;
export type FormMail = (typeof FORM_MAILS)[number];

/** Writes the mails that forms send for submissions. */
@Injectable()
export class FormMails {
  constructor(
    private readonly files: FilesService,
    private readonly owned: VisitorAttachments,
    private readonly brands: BrandsService,
    private readonly verdicts: VerdictsService,
    private readonly confirmations: Confirmations,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes the mail about a submission for one recipient, as the settings of its form say.
   * @param brand how it looks to them
   * @param template of a destination, for mails to owners
   */
  async compose(
    mail: FormMail,
    full: SubmissionInFull,
    to: string,
    brand: Readonly<Brand>,
    template: OwnerTemplate | null = null,
  ): Promise<Message> {
    const by = sentBy(brand, this.config);
    if (mail === 'visitor') {
      const attachments = await this.alongWith(full.form);
      const mail = submitterMail(full, this.config, to, by, brand.replyTo, attachments);
      return sendAs(by, mail);
    }
    const { name: accountName, baseUrl, from } = by;
    const fileLinks = await this.files.links(full.files, this.clock.now(), baseUrl);
    const scans = await this.files.scansOf(full.files);
    const verdict = await this.verdicts.of(full.submission);
    const attachments = template?.attaches ? await this.attached(full, scans) : [];
    const about = { accountName, fileLinks, scans, baseUrl, verdict, template, attachments };
    return sendAs(by, ownerMail(full, about, from, to));
  }

  /** Writes the mail that asks a visitor to confirm a submission; null once it waits no longer. */
  async asking(form: Form, submissionId: Buffer, to: string): Promise<Message | null> {
    const path = await this.confirmations.pathFor(submissionId);
    if (path === null) return null;
    const brand = await this.brands.ofForm(form);
    const by = sentBy(brand, this.config);
    const link = by.baseUrl + path;
    return sendAs(by, optInMail(form, submissionId, link, by, brand.replyTo, this.config, to));
  }

  /** Returns the file that the owner sends along with each mail to a visitor. */
  private async alongWith({ id }: Form): Promise<Attachment[]> {
    const found = await this.owned.open(id);
    if (!found) return [];
    const { name: filename, mediaType: contentType, content } = found;
    return [{ filename, contentType, content }];
  }

  /** Opens the files that go along: the first ones, for which there is room. */
  private async attached(
    { form, submission, files }: SubmissionInFull,
    scans: ReadonlyMap<string, FileScan>,
  ): Promise<Attachment[]> {
    const attached: Attachment[] = [];
    let room = ATTACHED_MAX_BYTES;
    for (const { id, name, mediaType, size } of files) {
      if (scans.get(id.toString('hex'))?.isLocked) continue;
      room -= size;
      if (room < 0) break;
      const { bytes } = await this.files.open(form.id, submission.id, id);
      attached.push({ filename: name || 'file', contentType: mediaType, content: bytes });
    }
    return attached;
  }
}
