import { Injectable } from '@nestjs/common';
import { AccountsService } from '../../accounts/accounts.service.js';
import { BrandsService } from '../../accounts/brands.service.js';
import { FilesService } from '../../files/files.service.js';
import { Config } from '../../platform/config/config.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import type { Message } from '../parts/message.js';
import { ownerMail } from './owner-mail.js';
import { submitterMail } from './submitter-mail.js';

/** The mails that a form sends for a submission, by who gets them. */
export const FORM_MAILS = ['owner', 'visitor'] as const;
export type FormMail = (typeof FORM_MAILS)[number];

/** Writes the mails that forms send for submissions. */
@Injectable()
export class FormMails {
  constructor(
    private readonly files: FilesService,
    private readonly accounts: AccountsService,
    private readonly brands: BrandsService,
    private readonly verdicts: VerdictsService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Writes the mail about a submission for one recipient, as the settings of its form say. */
  async compose(mail: FormMail, full: SubmissionInFull, to: string): Promise<Message> {
    const { accountId } = full.form;
    if (mail === 'visitor') {
      const { replyTo } = await this.brands.of(accountId);
      return submitterMail(full, this.config, to, replyTo);
    }
    const { baseUrl, mailFrom } = this.config;
    const fileLinks = await this.files.links(full.files, this.clock.now());
    const accountName = await this.accounts.nameOf(accountId);
    const verdict = await this.verdicts.of(full.submission);
    return ownerMail(full, { accountName, fileLinks, baseUrl, verdict }, mailFrom, to);
  }
}
