import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Form } from '../forms/model/form.entity.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { SealedRows, type SealedRow } from '../platform/secrets/sealed-rows.js';
import { SecretBox } from '../platform/secrets/secret-box.js';
import { DestinationsRepository } from './destinations.repository.js';

/** Watches over the sealed secrets of destinations. */
@Injectable()
export class DestinationSecrets implements OnModuleInit {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly box: SecretBox,
    private readonly rows: SealedRows,
  ) {}

  onModuleInit(): void {
    this.rows.register(() => this.list());
  }

  /** Returns the names of destinations that no key opens, by the form that they serve. */
  async unreadableOf(forms: readonly Form[]): Promise<Map<number, string[]>> {
    const found = new Map<number, string[]>();
    const [first] = forms;
    if (!first) return found;
    const unreadable = new Set<string>();
    for (const { id, sealed } of await this.destinations.sealed(first.accountId)) {
      if ((await this.box.standingOf(sealed)) === 'unreadable') unreadable.add(id.toString('hex'));
    }
    if (unreadable.size === 0) return found;
    for (const form of forms) {
      const excluded = (await this.destinations.excludedFrom(form.id)).map((id) =>
        id.toString('hex'),
      );
      const names = (await this.destinations.listFor(form)).flatMap(({ id, name }) => {
        const key = id.toString('hex');
        return unreadable.has(key) && !excluded.includes(key) ? [name] : [];
      });
      if (names.length > 0) found.set(form.id, names);
    }
    return found;
  }

  private async list(): Promise<SealedRow[]> {
    return (await this.destinations.sealed()).map(({ id, sealed }) => ({
      sealed,
      replace: (anew) =>
        this.unitOfWork.run((tx) => this.destinations.in(tx).reseal(id, sealed, anew)),
    }));
  }
}
