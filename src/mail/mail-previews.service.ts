import { Injectable } from '@nestjs/common';
import { BrandsService } from '../brands/brands.service.js';
import { Readers } from './readers.js';
import type { Principal } from '../access/principal.js';
import type { Form, PreviewedSettings } from '../forms/model/form.entity.js';
import { FormsService } from '../forms/forms.service.js';
import { NotificationPlanner } from '../notifications/notification-planner.js';
import { ExamplesService } from '../search/pages/examples.service.js';
import { FormMails, type FormMail } from './messages/form-mails.js';
import type { Message } from './parts/message.js';

/** Named as the recipient of a mail that would go to nobody. */
const SOMEBODY = 'somebody@example.com';
/** The kind of delivery that each mail is. */
const KIND_OF = { owner: 'owner_email', visitor: 'submitter_email' } as const;
/** Settings with which both mails are sent, and nothing else. */
const BOTH = { notifyOwnerOnSubmission: true, notifySubmitter: true, webhookUrl: null };

/** A mail of a form as it would be sent now. */
export interface MailPreview {
  mail: FormMail;
  /** Whether the settings have it sent at all. */
  isOn: boolean;
  /** Recipients; empty when no address is known. */
  recipients: string[];
  message: Message;
  /** The submission that it is about; null when that is a sample. */
  submissionId: Buffer | null;
}

/** Shows the mails of a form before anybody gets them. */
@Injectable()
export class MailPreviews {
  constructor(
    private readonly forms: FormsService,
    private readonly examples: ExamplesService,
    private readonly planner: NotificationPlanner,
    private readonly mails: FormMails,
    private readonly readers: Readers,
    private readonly brands: BrandsService,
  ) {}

  /**
   * Writes a mail about the newest submission, or about a sample where there is none to be seen.
   * @param settings in place of those that are stored
   * @param to in place of those who would get it
   * @throws FormNotFound, TooManyRecipients
   */
  async of(
    principal: Principal,
    identifier: string,
    mail: FormMail,
    settings: PreviewedSettings,
    to: string | null = null,
  ): Promise<MailPreview> {
    const form = (await this.forms.get(principal, identifier)).with(settings);
    const { full, isSample } = await this.examples.of(principal, form);
    const planned = await this.planner.ofSettings(form.with(BOTH), full.submission.values);
    const recipients = planned
      .filter(({ kind }) => kind === KIND_OF[mail])
      .map(({ recipient }) => recipient);
    const reader = to ?? recipients[0] ?? SOMEBODY;
    const brand = await (mail === 'visitor'
      ? this.brands.ofForm(form)
      : this.readers.brandFor([form], reader));
    return {
      mail,
      isOn: isOn(mail, form),
      recipients,
      message: await this.mails.compose(mail, full, reader, brand),
      submissionId: isSample ? null : full.submission.id,
    };
  }
}

function isOn(mail: FormMail, form: Form): boolean {
  return mail === 'owner' ? form.notifyOwnerOnSubmission : form.notifySubmitter === true;
}
