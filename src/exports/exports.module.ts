import { Room } from '../platform/room.js';
import { ExportRowsRepository } from './export-rows.repository.js';
import { ExportService, ExportStore } from './export.service.js';
import { ExportsController } from './exports.controller.js';

/** Writes submissions as tables: CSV, NDJSON and workbooks. */
@Room({ ExportsController, ExportRowsRepository, ExportService, ExportStore })
export class ExportsModule {}
