import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import { FormGrant } from '../forms/access/form-grant.entity.js';
import type { Form } from '../forms/model/form.entity.js';
import { forUpdate } from '../platform/database/select-rows.js';
import { TransactionalRepository } from '../platform/database/sql.js';
import { DestinationExclusion, Destination } from './model/destination.entity.js';
import type { Place } from './model/kind-settings.js';

/** Reads and writes destinations. */
@Injectable()
export class DestinationsRepository extends TransactionalRepository {
  private readonly destinations = this.rowsOf(Destination);
  private readonly exclusions = this.rowsOf(DestinationExclusion);

  /** Returns the destinations of a place, in order. */
  listOf(place: Place): Promise<Destination[]> {
    return this.destinations.find({ where: whereOf(place), order: { position: 'ASC', id: 'ASC' } });
  }

  /** Returns the same, and locks the rows until the transaction ends. */
  listOfForUpdate(place: Place): Promise<Destination[]> {
    const query = this.destinations.createQueryBuilder('destination').where(whereOf(place));
    return forUpdate(query.orderBy('destination.position').addOrderBy('destination.id')).getMany();
  }

  /** Returns the destinations of a form: its own in order, its clients', the account's; also those that leave it out. */
  async listFor({ id, accountId }: Pick<Form, 'id' | 'accountId'>): Promise<Destination[]> {
    const found = await this.destinations
      .createQueryBuilder('destination')
      .where('destination.accountId = :accountId')
      .andWhere('(destination.formId = :id OR destination.formId IS NULL)')
      .andWhere((query) => {
        const granted = query
          .subQuery()
          .select('granting.clientId')
          .from(FormGrant, 'granting')
          .where('granting.formId = :id');
        return `(destination.clientId IS NULL OR destination.clientId IN ${granted.getQuery()})`;
      })
      .setParameters({ accountId, id })
      .getMany();
    return found.sort(
      (one, other) =>
        rank(one) - rank(other) || one.position - other.position || one.id.compare(other.id),
    );
  }

  find(place: Place, id: Buffer): Promise<Destination | null> {
    return this.destinations.findOneBy({ id, ...whereOf(place) });
  }

  /** Returns one of an account, wherever it is. */
  findIn(accountId: number, id: Buffer): Promise<Destination | null> {
    return this.destinations.findOneBy({ accountId, id });
  }

  /** Returns the same, and locks its row until the transaction ends. */
  getForUpdate(accountId: number, id: Buffer): Promise<Destination | null> {
    const query = this.destinations.createQueryBuilder('destination').where({ accountId, id });
    return forUpdate(query).getOne();
  }

  /** Returns those with sealed secrets. @param accountId without it, those of all accounts */
  async sealed(accountId?: number): Promise<{ id: Buffer; sealed: string }[]> {
    const found = await this.destinations.find({
      select: { id: true, sealed: true },
      where: { ...(accountId !== undefined && { accountId }), sealed: Not(IsNull()) },
    });
    return found.map(({ id, sealed }) => ({ id, sealed: sealed ?? '' }));
  }

  /** Stores the same secrets under another seal. */
  async reseal(id: Buffer, before: string, sealed: string): Promise<void> {
    await this.destinations.update({ id, sealed: before }, { sealed });
  }

  /** Returns the ids of the destinations that leave a form out. */
  async excludedFrom(formId: number): Promise<Buffer[]> {
    const found = await this.exclusions.findBy({ formId });
    return found.map(({ destinationId }) => destinationId);
  }

  async exclude(formId: number, destinationId: Buffer): Promise<void> {
    const row = { formId, destinationId };
    await this.exclusions.createQueryBuilder().insert().values(row).orIgnore().execute();
  }

  async include(formId: number, destinationId: Buffer): Promise<void> {
    await this.exclusions.delete({ formId, destinationId });
  }

  /** Returns the names of destinations, by the id as hex digits. @param ids of deliveries whose scope was checked */
  async namesOf(ids: readonly Buffer[]): Promise<Map<string, string>> {
    const found = await this.destinations.find({
      select: { id: true, name: true },
      where: { id: In([...ids]) },
    });
    return new Map(found.map(({ id, name }) => [id.toString('hex'), name]));
  }

  async save(destination: Destination): Promise<void> {
    await this.destinations.save(destination);
  }

  async move({ id, position }: Destination): Promise<void> {
    await this.destinations.update({ id }, { position });
  }

  /** Records that calls succeed again. */
  async recover(id: Buffer): Promise<void> {
    await this.destinations.update({ id }, { failingSince: null });
  }

  /**
   * Records that calls fail, and since when.
   * @returns whether this pauses it, which happens once
   */
  async fail({ id, failingSince, pausedAt }: Destination): Promise<boolean> {
    await this.destinations.update({ id, failingSince: IsNull() }, { failingSince });
    if (pausedAt === null) return false;
    const { affected } = await this.destinations.update({ id, pausedAt: IsNull() }, { pausedAt });
    return affected === 1;
  }

  async remove(id: Buffer): Promise<void> {
    await this.exclusions.delete({ destinationId: id });
    await this.destinations.delete({ id });
  }

  async removeOfForm(formId: number): Promise<void> {
    await this.exclusions.delete({ formId });
    await this.destinations.delete({ formId });
  }

  async removeOfClient(accountId: number, clientId: number): Promise<void> {
    const place = { accountId, formId: null, clientId };
    for (const { id } of await this.listOf(place)) await this.remove(id);
  }
}

function whereOf({ accountId, formId, clientId }: Place) {
  return { accountId, formId: formId ?? IsNull(), clientId: clientId ?? IsNull() };
}

/** Returns 0 for one of a form, 1 for one of a client, 2 for one of the account. */
function rank({ formId, clientId }: Destination): number {
  if (formId !== null) return 0;
  return clientId === null ? 2 : 1;
}
