export { FleetChanges } from './fleet-changes.service.js';
export { FleetController } from './fleet.controller.js';
export { FleetService } from './fleet.service.js';
