import { Injectable } from '@nestjs/common';
import type { DeliveryWithAttempts } from './model/delivery-filter.js';

/** Returns the names of those of these destinations that there are, by the id as hex digits. */
type FindNames = (ids: readonly Buffer[]) => Promise<Map<string, string>>;

/** Knows how the destinations of deliveries are called. */
@Injectable()
export class DestinationNames {
  private find: FindNames = () => Promise.resolve(new Map<string, string>());

  /** Registers who knows destinations. */
  register(find: FindNames): void {
    this.find = find;
  }

  /** Adds the names of their destinations to deliveries, by one query for all. */
  async addTo(deliveries: DeliveryWithAttempts[]): Promise<DeliveryWithAttempts[]> {
    const ids = deliveries.flatMap(({ delivery }) => delivery.destinationId ?? []);
    if (ids.length === 0) return deliveries;
    const names = await this.find(ids);
    return deliveries.map((each) => {
      const { destinationId } = each.delivery;
      return { ...each, destinationName: names.get(destinationId?.toString('hex') ?? '') ?? null };
    });
  }
}
