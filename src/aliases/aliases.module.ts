import { Room } from '../platform/room.js';
import * as parts from './aliases.parts.module.js';

@Room(parts)
export class AliasesModule {}
