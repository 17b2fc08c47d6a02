import { Room } from '../platform/room.js';
import * as parts from './people.parts.module.js';

@Room(parts)
export class PeopleModule {}
