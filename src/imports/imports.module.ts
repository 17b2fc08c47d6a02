export { FileFetcher } from './files/file-fetcher.js';
export { ImportedFiles } from './files/imported-files.service.js';
export { ImportsService } from './imports.service.js';
export { ImportFiles, ImportStore, ImportsRepository } from './imports.repository.js';
export { ImportPortions, ImportPreviews, ImportWorker } from './import-worker.js';
export { ImportsController } from './imports.controller.js';
