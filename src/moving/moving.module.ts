export { MovesController } from './moves/moves.controller.js';
export { MovesService } from './moves/moves.service.js';
export { FileFetcher } from './imports/files/file-fetcher.js';
export { ImportedFiles } from './imports/files/imported-files.service.js';
export { ImportsService } from './imports/imports.service.js';
export { ImportFiles, ImportStore, ImportsRepository } from './imports/imports.repository.js';
export { ImportWorker } from './imports/import-worker.js';
export { ImportsController } from './imports/imports.controller.js';
