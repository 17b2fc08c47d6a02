import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DestinationsRepository } from './destinations.repository.js';
import type { KindSettings } from './kinds/kind.js';
import type { Destination } from './model/destination.entity.js';

/** Keeps where a destination has moved, as its service says. */
@Injectable()
export class DestinationMoves {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Stores settings that are not secret, unless somebody has changed them meanwhile. */
  async follow({ accountId, id, settings: before }: Destination, moved: KindSettings) {
    await this.unitOfWork.run(async (tx) => {
      const destinations = this.destinations.in(tx);
      const destination = await destinations.getForUpdate(accountId, id);
      const isSame = Object.keys(moved).every(
        (name) => destination?.settings[name] === before[name],
      );
      if (!destination || !isSame) return;
      destination.settings = { ...destination.settings, ...(moved as Record<string, string>) };
      await destinations.save(destination);
    });
  }
}
