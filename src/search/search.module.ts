import { Room } from '../platform/room.js';
import { AccountRowsRepository } from './finder/account-rows.repository.js';
import { AccountCandidates, Streams, SubmissionFinder } from './finder/submission-finder.js';
import { BlockBuilder, TextMover } from './texts/block-builder.js';
import { TextSearch } from './texts/text-search.js';
import { SubmissionPages } from './pages/submission-pages.service.js';
import { FilterLines } from './lines/filter-lines.service.js';
import { FormCounts, InboxService } from './inbox/inbox.service.js';
import { FormRowsRepository } from './finder/selection.js';
import { SearchGate } from './finder/search-gate.js';
import { FormCandidates } from './finder/form-candidates.js';
import { Matcher } from './finder/matcher.js';
import { PossibleForms } from './finder/possible-forms.js';
import { OriginsController } from './origins/origins.controller.js';
import { OriginsRepository } from './origins/origins.repository.js';
import { OriginsService } from './origins/origins.service.js';
import { PreviewLearner } from './previews/preview-learner.js';
import { SearchController } from './inbox/search.controller.js';
import { SubmissionListController } from './pages/submission-list.controller.js';
import { SubmissionTextsRepository } from './texts/submission-texts.repository.js';
import { TextBlocksRepository } from './texts/text-blocks.repository.js';
import { TextMatchesRepository, TextScan } from './texts/text-scan.js';
import { ValueIndex, ValueIndexRepository } from './values/value-index.js';
import { ValueIndexer, ValuesService } from './values/values.service.js';
import { ValuesController } from './values/values.controller.js';
import { VisitorsController } from './visitors/visitors.controller.js';
import { VisitorsService } from './visitors/visitors.service.js';

/** Finds submissions: by filter, by text, by value, by visitor and by origin. */
@Room({
  controllers: [
    SubmissionListController,
    ValuesController,
    SearchController,
    OriginsController,
    VisitorsController,
  ],
  providers: [
    AccountCandidates,
    AccountRowsRepository,
    BlockBuilder,
    FilterLines,
    FormCandidates,
    FormCounts,
    FormRowsRepository,
    InboxService,
    Matcher,
    OriginsRepository,
    OriginsService,
    PossibleForms,
    PreviewLearner,
    SearchGate,
    Streams,
    SubmissionFinder,
    SubmissionPages,
    SubmissionTextsRepository,
    TextBlocksRepository,
    TextMatchesRepository,
    TextMover,
    TextScan,
    TextSearch,
    ValueIndex,
    ValueIndexer,
    ValueIndexRepository,
    ValuesService,
    VisitorsService,
  ],
})
export class SearchModule {}
