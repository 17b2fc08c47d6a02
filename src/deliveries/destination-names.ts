import { Injectable } from '@nestjs/common';
import { hook, Hooks } from '../platform/hooks/hooks.js';
import type { DeliveryWithAttempts } from './model/delivery-filter.js';

/** Returns the names of those of these destinations that there are, by the id as hex digits. */
export const NamesOfDestinations = hook<(ids: readonly Buffer[]) => Promise<Map<string, string>>>();

/** Knows how the destinations of deliveries are called. */
@Injectable()
export class DestinationNames {
  constructor(private readonly hooks: Hooks) {}

  /** Adds the names of their destinations to deliveries, by one query for all. */
  async addTo(deliveries: DeliveryWithAttempts[]): Promise<DeliveryWithAttempts[]> {
    const ids = deliveries.flatMap(({ delivery }) => delivery.destinationId ?? []);
    if (ids.length === 0) return deliveries;
    const names = await this.hooks.ask(NamesOfDestinations, ids);
    return deliveries.map((each) => {
      const { destinationId } = each.delivery;
      return { ...each, destinationName: names.get(destinationId?.toString('hex') ?? '') ?? null };
    });
  }
}
