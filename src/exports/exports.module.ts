import { Module } from '@nestjs/common';
import { ExportRowsRepository } from './export-rows.repository.js';
import { ExportService, ExportStore } from './export.service.js';
import { ExportsController } from './exports.controller.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FilesModule } from '../files/files.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { SearchModule } from '../search/search.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { TriageModule } from '../triage/triage.module.js';

/** Writes submissions as tables: CSV, NDJSON and workbooks. */
@Module({
  imports: [
    DeliveriesModule,
    FilesModule,
    FormsModule,
    SearchModule,
    SubmissionsModule,
    TriageModule,
  ],
  controllers: [ExportsController],
  providers: [ExportRowsRepository, ExportService, ExportStore],
  exports: [ExportService, ExportStore],
})
export class ExportsModule {}
