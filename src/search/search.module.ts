import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountRowsRepository } from './finder/account-rows.repository.js';
import { AccountCandidates } from './finder/account-candidates.js';
import { BlockBuilder } from './texts/block-builder.js';
import { BlockSearch } from './texts/block-search.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { ExamplesService } from './pages/examples.service.js';
import { FilesModule } from '../files/files.module.js';
import { FilterLines } from './lines/filter-lines.service.js';
import { FormCounts } from './inbox/form-counts.service.js';
import { FormsModule } from '../forms/forms.module.js';
import { FormRowsRepository } from './finder/form-rows.repository.js';
import { FormCandidates } from './finder/form-candidates.js';
import { Matcher } from './finder/matcher.js';
import { InboxService } from './inbox/inbox.service.js';
import { PossibleForms } from './finder/possible-forms.js';
import { OriginsController } from './origins/origins.controller.js';
import { OriginsRepository } from './origins/origins.repository.js';
import { OriginsService } from './origins/origins.service.js';
import { Streams } from './finder/streams.js';
import { PreviewLearner } from './previews/preview-learner.js';
import { SearchController } from './inbox/search.controller.js';
import { SearchGate } from './finder/search-gate.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { SubmissionPages } from './pages/submission-pages.service.js';
import { SubmissionListController } from './pages/submission-list.controller.js';
import {
  SubmissionText,
  TextBlock,
  TextPostings,
  TextProgress,
} from './texts/submission-text.entity.js';
import { FileNamesRepository } from './texts/file-names.repository.js';
import { SubmissionTextsRepository } from './texts/submission-texts.repository.js';
import { WaitingTextsRepository } from './texts/waiting-texts.repository.js';
import { SubmissionValue } from './values/submission-value.entity.js';
import { SubmissionFinder } from './finder/submission-finder.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { TextBlocksRepository } from './texts/text-blocks.repository.js';
import { TextMatchesRepository } from './texts/text-matches.repository.js';
import { TextMover } from './texts/text-mover.js';
import { TextScan } from './texts/text-scan.js';
import { TextSearch } from './texts/text-search.js';
import { TriageModule } from '../triage/triage.module.js';
import { ValueIndex } from './values/value-index.js';
import { ValueIndexRepository } from './values/value-index.repository.js';
import { ValueEntries } from './values/value-entries.js';
import { ValueIndexer } from './values/value-indexer.js';
import { ValuesController } from './values/values.controller.js';
import { ValuesService } from './values/values.service.js';
import { VisitorsController } from './visitors/visitors.controller.js';
import { VisitorsService } from './visitors/visitors.service.js';

/** Finds submissions: by filter, by text, by value, by visitor and by origin. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      SubmissionText,
      SubmissionValue,
      TextBlock,
      TextPostings,
      TextProgress,
    ]),
    DeliveriesModule,
    FilesModule,
    FormsModule,
    StatisticsModule,
    SubmissionsModule,
    TriageModule,
  ],
  controllers: [
    SubmissionListController,
    ValuesController,
    SearchController,
    OriginsController,
    VisitorsController,
  ],
  providers: [
    AccountRowsRepository,
    AccountCandidates,
    BlockBuilder,
    BlockSearch,
    ExamplesService,
    FileNamesRepository,
    FilterLines,
    FormCounts,
    FormRowsRepository,
    FormCandidates,
    InboxService,
    Matcher,
    OriginsRepository,
    OriginsService,
    PossibleForms,
    PreviewLearner,
    SearchGate,
    SubmissionPages,
    SubmissionTextsRepository,
    WaitingTextsRepository,
    Streams,
    SubmissionFinder,
    TextBlocksRepository,
    TextMatchesRepository,
    TextMover,
    TextScan,
    TextSearch,
    ValueIndex,
    ValueEntries,
    ValueIndexer,
    ValueIndexRepository,
    ValuesService,
    VisitorsService,
  ],
  exports: [
    ExamplesService,
    FilterLines,
    FormCounts,
    FormRowsRepository,
    InboxService,
    OriginsService,
    SubmissionFinder,
    SubmissionPages,
    TextMover,
    ValueIndexer,
    VisitorsService,
  ],
})
export class SearchModule {}
