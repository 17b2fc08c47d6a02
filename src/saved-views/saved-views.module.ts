import { Room } from '../platform/room.js';
import * as parts from './saved-views.parts.module.js';

@Room(parts)
export class SavedViewsModule {}
