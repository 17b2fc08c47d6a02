import { Room } from '../platform/room.js';
import { FleetChanges } from './fleet-changes.service.js';
import { FleetController } from './fleet.controller.js';
import { FleetService } from './fleet.service.js';

/** Shows how all forms fare, and changes many at once. */
@Room({ FleetController, FleetChanges, FleetService })
export class FleetModule {}
