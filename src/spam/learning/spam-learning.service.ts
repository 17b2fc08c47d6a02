import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { AccountChangeForbidden } from '../../accounts/account.errors.js';
import { AuditService } from '../../audit/audit.service.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { LearntCount } from './likeness.js';
import { SpamLessonsRepository } from './spam-lessons.repository.js';
import { ALL_FORMS } from './spam-model.entity.js';
import { SpamModelsRepository } from './spam-models.repository.js';

/** Marks of each kind below which nothing is judged by what was learnt. */
export const MARKS_MIN = 50;

/** Counts of the training of an account. */
export interface Learnt {
  /** By marks of its own people, for all forms. */
  own: LearntCount;
  /** By marks of clients, each for the form alone. */
  byClients: LearntCount;
}

/** Shows owners what was learnt, and forgets it for them. */
@Injectable()
export class SpamLearning {
  constructor(
    private readonly models: SpamModelsRepository,
    private readonly lessons: SpamLessonsRepository,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws AccountChangeForbidden */
  async show(principal: Principal): Promise<Learnt> {
    assertOfAccount(principal);
    const learnt = { own: { spam: 0, ham: 0 }, byClients: { spam: 0, ham: 0 } };
    for (const { formId, spam, ham } of await this.models.listFor(principal.accountId)) {
      const sum = formId === ALL_FORMS ? learnt.own : learnt.byClients;
      sum.spam += spam;
      sum.ham += ham;
    }
    return learnt;
  }

  /**
   * Forgets all that the account has taught. Marks stay as they are.
   * @throws AccountChangeForbidden
   */
  async reset(principal: Principal): Promise<void> {
    assertOfAccount(principal);
    const { accountId } = principal;
    await this.unitOfWork.run(async (tx) => {
      await this.models.in(tx).abandon({ accountId });
      await this.lessons.in(tx).removeOf(accountId);
      await this.audit.recordBy(tx, principal, {
        action: 'account.spam_learning_reset',
        target: { kind: 'account', id: accountId, name: null },
      });
    });
  }
}

/** @throws AccountChangeForbidden for a client, of whom nothing here is */
function assertOfAccount({ clientId }: Principal): void {
  if (clientId !== null) throw new AccountChangeForbidden();
}
