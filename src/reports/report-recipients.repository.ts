import { Injectable } from '@nestjs/common';
import { In, Raw } from 'typeorm';
import { DueRowsRepository } from '../platform/database/leased-rows.js';
import { ReportRecipient } from './report-recipient.entity.js';

/** Reads and writes who gets which report. */
@Injectable()
export class ReportRecipientsRepository extends DueRowsRepository<ReportRecipient> {
  protected readonly rows = this.rowsOf(ReportRecipient);

  /** Returns the recipients of a client's report, or of the weekly mail, in the order in which they were entered. */
  list(accountId: number, clientId: number): Promise<ReportRecipient[]> {
    return this.rows.find({ where: { accountId, clientId }, order: { id: 'ASC' } });
  }

  /** Returns what goes to an address, in whatever case, of all clients of an account. */
  listTo(accountId: number, email: string): Promise<ReportRecipient[]> {
    const address = email.toLowerCase();
    return this.rows.findBy({
      accountId,
      email: Raw((of) => `LOWER(${of}) = :address`, { address }),
    });
  }

  async add(recipients: ReportRecipient[]): Promise<void> {
    if (recipients.length > 0) await this.rows.insert(recipients);
  }

  async remove(ids: readonly Buffer[]): Promise<void> {
    if (ids.length > 0) await this.rows.delete({ id: In([...ids]) });
  }

  async removeOf(clientId: number): Promise<void> {
    await this.rows.delete({ clientId });
  }

  /** Stores what a claimed recipient has become, and gives it back; no worker gets it for so long. */
  async store(recipient: ReportRecipient, token: Buffer, seconds?: number): Promise<void> {
    const { nextAt, tries } = recipient;
    await this.complete(recipient, token, { nextAt, tries }, seconds);
  }
}
