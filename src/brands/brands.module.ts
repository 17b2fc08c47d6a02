import { Room } from '../platform/room.js';
import * as parts from './brands.parts.module.js';

@Room(parts)
export class BrandsModule {}
