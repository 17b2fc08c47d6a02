import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { DueRowsRepository } from '../platform/database/due-rows.js';
import { ReportRecipient } from './report-recipient.entity.js';

/** Reads and writes who gets which report. */
@Injectable()
export class ReportRecipientsRepository extends DueRowsRepository<ReportRecipient> {
  protected get rows(): Repository<ReportRecipient> {
    return this.source.manager.getRepository(ReportRecipient);
  }

  /** Returns the recipients of a client's report, in the order in which they were entered. */
  list(clientId: number): Promise<ReportRecipient[]> {
    return this.rows.find({ where: { clientId }, order: { id: 'ASC' } });
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

  /** Stores that a claimed recipient has got the report, and gives it back. */
  async advance(recipient: ReportRecipient, token: Buffer): Promise<void> {
    recipient.advance();
    await this.complete(recipient, token, { nextAt: recipient.nextAt });
  }
}
