import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { SearchModule } from '../search/search.module.js';
import { FileFetcher } from './files/file-fetcher.js';
import { ImportedFiles } from './files/imported-files.service.js';
import { ImportsService } from './imports.service.js';
import { ImportFiles, ImportStore, ImportsRepository } from './imports.repository.js';
import { ImportPortions, ImportPreviews, ImportWorker } from './import-worker.js';
import { ImportsController } from './imports.controller.js';

/** Imports submissions from other services. */
@Module({
  imports: [FilesModule, FormsModule, JobsModule, SearchModule, SubmissionsModule],
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
  exports: [ImportsService, ImportStore, ImportWorker],
})
export class ImportsModule {}
