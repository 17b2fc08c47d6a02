export { ExportRowsRepository } from './export-rows.repository.js';
export { ExportService, ExportStore } from './export.service.js';
export { ExportsController } from './exports.controller.js';
