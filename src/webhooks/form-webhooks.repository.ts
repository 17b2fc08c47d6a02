import { Injectable } from '@nestjs/common';
import { In, IsNull, Not, type Repository } from 'typeorm';
import { isDuplicate, TransactionalRepository } from '../platform/database/sql.js';
import { forUpdate } from '../platform/database/select-rows.js';
import { FormWebhook } from './form-webhook.entity.js';

/** Reads and writes the webhooks of forms. */
@Injectable()
export class FormWebhooksRepository extends TransactionalRepository {
  private get webhooks(): Repository<FormWebhook> {
    return this.source.manager.getRepository(FormWebhook);
  }

  find(formId: number): Promise<FormWebhook | null> {
    return this.webhooks.findOneBy({ formId });
  }

  /** Returns since when those of these forms are disabled, by the form; without those that are called. */
  async disabledAmong(formIds: readonly number[]): Promise<Map<number, Date>> {
    if (formIds.length === 0) return new Map();
    const found = await this.webhooks.findBy({ formId: In(formIds), disabledAt: Not(IsNull()) });
    return new Map(
      found.flatMap(({ formId, disabledAt }) => (disabledAt ? [[formId, disabledAt]] : [])),
    );
  }

  /** Returns the webhook and locks its row until the transaction ends. */
  getForUpdate(formId: number): Promise<FormWebhook | null> {
    return forUpdate(this.webhooks.createQueryBuilder('webhook').where({ formId })).getOne();
  }

  /** Stores a new webhook unless another request already did. */
  async insert(webhook: FormWebhook): Promise<void> {
    try {
      await this.webhooks.insert(webhook);
    } catch (error) {
      if (!isDuplicate(error, 'PRIMARY', 'form_webhooks.form_id')) throw error;
    }
  }

  /** Enables a webhook, and clears how its calls ended. */
  async reset(formId: number): Promise<void> {
    await this.webhooks.update({ formId }, { failingSince: null, disabledAt: null });
  }

  async remove(formId: number): Promise<void> {
    await this.webhooks.delete({ formId });
  }

  async save(webhook: FormWebhook): Promise<void> {
    await this.webhooks.save(webhook);
  }
}
