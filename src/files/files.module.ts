export { FileLinksController } from './file-links.controller.js';
export { FileStore } from './file-store.js';
export { FilesService } from './files.service.js';
export { FilesRepository } from './files.repository.js';
export { FileScansRepository } from './scans/file-scans.repository.js';
export { VirusScanner } from './scans/virus-scanner.js';
