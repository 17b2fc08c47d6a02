import { Room } from '../platform/room.js';
import { FileLinksController } from './file-links.controller.js';
import { FileStore } from './file-store.js';
import { FilesService } from './files.service.js';
import { FilesRepository } from './files.repository.js';
import { FileScansRepository } from './scans/file-scans.repository.js';
import { VirusScanner } from './scans/virus-scanner.js';

@Room({
  controllers: [FileLinksController],
  providers: [FileScansRepository, FilesRepository, FilesService, FileStore, VirusScanner],
})
export class FilesModule {}
