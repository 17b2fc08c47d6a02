import { Room } from '../platform/room.js';
import { Projections } from './projections.js';

@Room({ Projections })
export class ProjectionsModule {}
