import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FormGrantsRepository } from './access/form-grants.repository.js';
import type { Form } from './model/form.entity.js';
import { VisitorAttachmentsRepository } from './visitor-attachments.repository.js';

/** Keeps a client from being deleted until the transaction ends; throws where it is gone. */
type ClientLock = (tx: EntityManager, accountId: number, clientId: number) => Promise<void>;

/** Gives forms what they have from the beginning beside their row. */
@Injectable()
export class NewForms {
  private lockClient: ClientLock = () => Promise.resolve();

  constructor(
    private readonly grants: FormGrantsRepository,
    private readonly attachments: VisitorAttachmentsRepository,
  ) {}

  /** Registers who locks a client that is to see a form. */
  register(lock: ClientLock): void {
    this.lockClient = lock;
  }

  /**
   * Completes a form in the transaction that creates it.
   * @param clientId the client that sees it; null for none
   * @param copiedId id of the form that it is a copy of; null for none
   */
  async complete(
    tx: EntityManager,
    { id, accountId }: Pick<Form, 'id' | 'accountId'>,
    clientId: number | null,
    copiedId: number | null,
  ): Promise<void> {
    if (copiedId !== null) await this.attachments.in(tx).copy(copiedId, id);
    if (clientId === null) return;
    // A client that is being deleted would leave the grant behind.
    await this.lockClient(tx, accountId, clientId);
    await this.grants.in(tx).add(clientId, id);
  }
}
