import { APP_FILTER } from '@nestjs/core';
import { Room } from '../platform/room.js';
import * as parts from './pages.parts.module.js';
import { PageFilter } from './pages.js';

@Room({ ...parts, filter: { provide: APP_FILTER, useClass: PageFilter } })
export class PagesModule {}
