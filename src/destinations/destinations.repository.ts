import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import { FormGrant } from '../forms/access/form-grant.entity.js';
import { Form } from '../forms/model/form.entity.js';
import { forUpdate, TransactionalRepository, insertMissing } from '../platform/database/index.js';
import { among } from '../platform/index.js';
import { DestinationExclusion, Destination } from './model/destination.entity.js';
import { firstId, firstNamed, ROLES, type Role, type Place } from './model/kind-settings.js';

/** Reads and writes destinations. */
@Injectable()
export class DestinationsRepository extends TransactionalRepository {
  private readonly destinations = this.rowsOf(Destination);
  private readonly exclusions = this.rowsOf(DestinationExclusion);

  /** Returns the destinations of a place in order, without the first ones of a form. */
  async listOf(place: Place): Promise<Destination[]> {
    const order = { position: 'ASC', id: 'ASC' } as const;
    return (await this.destinations.find({ where: whereOf(place), order })).filter(isFurther);
  }

  /** Returns the same, and locks the rows until the transaction ends. */
  async listOfForUpdate(place: Place): Promise<Destination[]> {
    const query = this.destinations.createQueryBuilder('destination').where(whereOf(place));
    const all = query.orderBy('destination.position').addOrderBy('destination.id');
    return (await forUpdate(all).getMany()).filter(isFurther);
  }

  /** Returns the rows of the destinations of a form: its own in order, its clients', the account's; also those that leave it out. */
  async rowsFor({ id, accountId }: Pick<Form, 'id' | 'accountId'>): Promise<Destination[]> {
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
      (one, other) => rank(one) - rank(other) || one.position - other.position || one.id.compare(other.id),
    );
  }

  /** Returns the same, without those that the form leaves out. */
  async rowsServing(form: Pick<Form, 'id' | 'accountId'>): Promise<Destination[]> {
    const isExcluded = await this.excludedFrom(form.id);
    return (await this.rowsFor(form)).filter(({ id }) => !isExcluded(id));
  }

  /** Returns one of the first destinations of a form. */
  async findFirst(form: Form, role: Role): Promise<Destination> {
    const row = await this.destinations.findOneBy({ id: firstId(form.id, role) });
    return Destination.first(form, role, row ?? undefined);
  }

  async find(place: Place, id: Buffer): Promise<Destination | null> {
    const found = await this.findIn(place.accountId, id);
    const isThere = found?.formId === place.formId && found.clientId === place.clientId;
    return isThere ? found : null;
  }

  /** Returns one of an account, wherever it is. */
  async findIn(accountId: number, id: Buffer): Promise<Destination | null> {
    return this.withForm(accountId, id, await this.destinations.findOneBy({ accountId, id }));
  }

  /** Returns the same, and locks its row until the transaction ends. */
  async getForUpdate(accountId: number, id: Buffer): Promise<Destination | null> {
    const query = this.destinations.createQueryBuilder('destination').where({ accountId, id });
    return this.withForm(accountId, id, await forUpdate(query).getOne());
  }

  /** Adds to one of the first destinations of a form what the form says of it. */
  private async withForm(accountId: number, id: Buffer, row: Destination | null) {
    const first = firstNamed(id);
    if (!first) return row;
    const where = { id: first.formId, accountId, deletedAt: IsNull() };
    const form = await this.source.manager.findOneBy(Form, where);
    return form && Destination.first(form, first.role, row ?? undefined);
  }

  /** Returns destinations with sealed secrets. @param accountId absent: of all accounts */
  async sealed(accountId?: number): Promise<{ id: Buffer; sealed: string }[]> {
    const found = await this.destinations.find({
      select: { id: true, sealed: true },
      where: { ...(accountId !== undefined && { accountId }), sealed: Not(IsNull()) },
    });
    return found.map(({ id, sealed }) => ({ id, sealed: sealed ?? '' }));
  }

  /** Stores the same secrets under another seal. */
  async reseal(id: Buffer, before: string, sealed: string) {
    await this.destinations.update({ id, sealed: before }, { sealed });
  }

  /** Returns what tells of an id whether it is that of a destination that a form leaves out. */
  async excludedFrom(formId: number): Promise<(id: Buffer) => boolean> {
    const found = await this.exclusions.findBy({ formId });
    return among(found.map(({ destinationId }) => destinationId));
  }

  /** Has a form leave a destination out, or takes it in again. */
  async exclude(formId: number, destinationId: Buffer, isExcluded: boolean) {
    if (isExcluded) await insertMissing(this.exclusions, [{ formId, destinationId }]);
    else await this.exclusions.delete({ formId, destinationId });
  }

  /** Returns the names of destinations, by the id as hex digits. @param ids of deliveries whose scope was checked */
  async namesOf(ids: readonly Buffer[]): Promise<Map<string, string>> {
    const found = await this.destinations.find({ select: { id: true, name: true }, where: { id: In([...ids]) } });
    return new Map(found.map(({ id, name }) => [id.toString('hex'), name]));
  }

  async save(destination: Destination) {
    await this.destinations.save(destination);
  }

  async move({ id, position }: Destination) {
    await this.destinations.update({ id }, { position });
  }

  /** Returns since when the webhooks of these forms are paused, by the form; without those that are not. */
  async webhooksPausedAmong(formIds: readonly number[]): Promise<Map<number, Date>> {
    const ids = formIds.map((id) => firstId(id, 'webhook'));
    const found = await this.destinations.findBy({ id: In(ids), pausedAt: Not(IsNull()) });
    return new Map(found.flatMap(({ formId, pausedAt }) => (formId && pausedAt ? [[formId, pausedAt]] : [])));
  }

  /** Records that calls succeed again. */
  async recover(id: Buffer) {
    await this.destinations.update({ id }, { failingSince: null });
  }

  /** Takes calls up again after failures of another address. */
  async renew(id: Buffer) {
    await this.destinations.update({ id }, { failingSince: null, pausedAt: null });
  }

  /**
   * Records that calls fail, and since when.
   * @param pauses whether that was for too long
   * @returns whether this pauses it, which happens once
   */
  async fail(destination: Destination, pauses: boolean) {
    const { id, failingSince, pausedAt, said } = destination;
    if (said) await insertMissing(this.destinations, [destination]);
    await this.destinations.update({ id, failingSince: IsNull() }, { failingSince });
    if (!pauses) return false;
    const { affected } = await this.destinations.update({ id, pausedAt: IsNull() }, { pausedAt });
    return affected === 1;
  }

  async remove(id: Buffer) {
    await this.exclusions.delete({ destinationId: id });
    await this.destinations.delete({ id });
  }

  /** @returns the ids of those that are gone */
  async removeOfClient(accountId: number, clientId: number): Promise<Buffer[]> {
    const found = await this.listOf({ accountId, formId: null, clientId });
    for (const { id } of found) await this.remove(id);
    return found.map(({ id }) => id);
  }
}

/** Returns the destinations of a form, of which the first are always there. @param rows as `rowsFor` returns them */
export function withFirst(form: Form, rows: readonly Destination[]): Destination[] {
  const first = ROLES.map((role) => {
    const id = firstId(form.id, role);
    return Destination.first(
      form,
      role,
      rows.find((row) => row.id.equals(id)),
    );
  });
  return [...first, ...rows.filter(isFurther)];
}

function isFurther({ id }: Destination) {
  return firstNamed(id) === null;
}

function whereOf({ accountId, formId, clientId }: Place) {
  return { accountId, formId: formId ?? IsNull(), clientId: clientId ?? IsNull() };
}

/** Returns 0 for one of a form, 1 for one of a client, 2 for one of the account. */
function rank({ formId, clientId }: Destination): number {
  if (formId !== null) return 0;
  return clientId === null ? 2 : 1;
}
