import { Room } from '../platform/room.js';
import * as parts from './files.parts.module.js';

@Room(parts)
export class FilesModule {}
