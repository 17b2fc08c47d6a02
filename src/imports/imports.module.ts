import { Room } from '../platform/room.js';
import { FileFetcher } from './files/file-fetcher.js';
import { ImportedFiles } from './files/imported-files.service.js';
import { ImportsService } from './imports.service.js';
import { ImportFiles, ImportStore, ImportsRepository } from './imports.repository.js';
import { ImportPortions, ImportPreviews, ImportWorker } from './import-worker.js';
import { ImportsController } from './imports.controller.js';

/** Imports submissions from other services. */
@Room({
  controllers: [ImportsController],
  providers: [
    FileFetcher,
    ImportedFiles,
    ImportFiles,
    ImportPortions,
    ImportPreviews,
    ImportsRepository,
    ImportsService,
    ImportStore,
    ImportWorker,
  ],
})
export class ImportsModule {}
