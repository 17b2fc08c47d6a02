import { Injectable } from '@nestjs/common';
import { BrandsService } from '../../clients/brands/brands.service.js';
import { FEW_FORMS, FormQueries } from '../../forms/form-queries.service.js';
import { Mailer } from '../../mail/mailer.js';
import { Config } from '../../platform/config/config.js';
import { byteSize } from '../../platform/kernel/byte-size.js';
import { ChecksAccount, type Found } from '../finding.js';

/** Part of MAX_ACCOUNT_FILES_BYTES from which on it is told. */
const NEARLY_FULL = 0.9;

/** Finds what no setting of a form mends. */
@Injectable()
export class AccountChecks {
  constructor(
    private readonly forms: FormQueries,
    private readonly brands: BrandsService,
    private readonly mailer: Mailer,
    private readonly config: Config,
  ) {}

  /** Finds that emails are saved and not sent, once for all forms that send some. */
  @ChecksAccount()
  async mail(accountId: number): Promise<Found | null> {
    if (this.mailer.isConfigured) return null;
    const forms = await this.forms.firstInFull({ accountId, clientId: null }, FEW_FORMS);
    const mailing = forms.filter(
      ({ notifyOwnerOnSubmission, notifySubmitter }) => notifyOwnerOnSubmission || notifySubmitter,
    );
    // What is asked for together is read by one query.
    const brands = await Promise.all(mailing.map((form) => this.brands.ofForm(form)));
    if (brands.every(({ sender }) => sender?.server != null)) return null;
    return {
      code: 'mail_not_configured',
      severity: 'shown',
      text: 'Emails are saved to DATA_DIR/mail and not sent, because SMTP_URL is not set.',
      fix: 'Ask the operator to set it, for example to smtp://user:password@mail.example.com:587.',
    };
  }

  @ChecksAccount()
  async files(accountId: number): Promise<Found | null> {
    const max = this.config.intake.maxAccountFilesBytes;
    const bytes = max === 0 ? 0 : await this.forms.filesBytes(accountId);
    if (max === 0 || bytes < max * NEARLY_FULL) return null;
    return {
      code: 'files_nearly_full',
      severity: 'shown',
      text: `The files of this account use ${byteSize(bytes)} of the ${byteSize(max)} that MAX_ACCOUNT_FILES_BYTES allows.`,
      fix: 'Submissions with files that do not fit are refused; those without files are accepted. Erase submissions with files, or ask the operator to raise the limit.',
    };
  }
}
