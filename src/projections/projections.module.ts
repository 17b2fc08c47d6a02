import { Room } from '../platform/room.js';
import { Projections } from './projections.js';

@Room({ providers: [Projections] })
export class ProjectionsModule {}
