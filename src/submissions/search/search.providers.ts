import { AccountRowsRepository } from '../account-rows.repository.js';
import { FilterLines } from './filter-lines.service.js';
import { MergedWalk } from './merged-walk.js';
import { PageSearch } from './page-search.js';
import { SearchGate } from './search-gate.js';
import { SubmissionWalk } from './submission-walk.js';
import { WideWalk } from './wide-walk.js';

/** What finds submissions by a filter. */
export const SEARCH_PROVIDERS = [
  AccountRowsRepository,
  FilterLines,
  MergedWalk,
  PageSearch,
  SearchGate,
  SubmissionWalk,
  WideWalk,
];
