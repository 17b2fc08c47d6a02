import { AsCurl, Shell } from '../layout/shell.js';
import { Icon, Time, Menu, Empty, LinkButton } from '../parts/index.js';
import { inboxWords, QuickFilters, Search } from './narrowing.js';
import { jobWords } from '../jobs/words.js';
import { folderWords, layoutWords } from '../layout/words.js';
import { rowWords, Keys, SubmissionTable, type InboxRow } from '../rows/submission-table.js';
import { folderOf, formsOf, inboxAddress, onlyForm, isWhole, isPlain } from '../addresses/folders.js';
import { Exports } from '../jobs/job.page.js';
import { countOf, placeOf, Switcher, SwitcherButton, type SwitcherProps, Bulk } from './bulk.js';
import { SaveView } from '../saved-views/views.page.js';
import { parseFilterLine } from '../../submissions/filter/filter-line.js';
import { formWords } from '../forms/words.js';

export interface InboxPageProps extends SwitcherProps {
  rows: InboxRow[];
  /** Address of the page with older ones; null on the last. */
  older: string | null;
  /** Up to when was looked, when there may be more beyond; null when the page is complete. */
  lookedTo: Date | null;
  /** Where this page begins; '' for the first. */
  before: string;
  /** Parts of it that cannot be understood. */
  unclear: readonly string[];
  /** Address in the API of what is shown; null for people of a client, and when the API would not take it. */
  apiUrl: string | null;
  mayCreateForms: boolean;
  mayImport: boolean;
  mayTriage: boolean;
  mayExport: boolean;
  /** How many the filter means on all pages: null when that was not counted; undefined when there are no more. */
  matching: number | null | undefined;
  /** Jobs that are under way. */
  jobs: { id: string; isExport: boolean; done: number; total: number | null }[];
}

/** Draws the submissions that a filter means, newest first. */
export function InboxPage(props: InboxPageProps) {
  const { rows, older, line, forms, hasMoreForms } = props;
  const isOlder = props.before !== '';
  const folder = folderOf(line);
  const only = onlyForm(line, forms, hasMoreForms);
  const place = placeOf(line, forms, hasMoreForms);
  const isOfSeveral = forms.length > 1 || hasMoreForms;
  const isBare = forms.length === 0;
  const unread = forms.reduce((sum, form) => sum + form.unread, 0);
  const count = countOf(unread, hasMoreForms);
  return (
    <Shell
      title={unread === 0 ? layoutWords.nav.inbox : `(${count}) ${layoutWords.nav.inbox}`}
      section="inbox"
      skipTo="list"
    >
      <div
        id="inbox"
        class="page"
        data-look=""
        data-from={inboxAddress(line, props.before)}
        data-q={line}
        data-before={props.before}
        data-failed="Not saved. Check your connection, then try again."
      >
        <div class="bar">
          <h1 dir="auto">{place}</h1>
          {!isBare && <SwitcherButton place={place} />}
          {!isBare && <Search {...props} />}
          {!isBare && <More {...props} />}
        </div>
        <Jobs {...props} />
        <div class="inbox">
          {!isBare && <Switcher {...props} />}
          <div>
            <New />
            <div id="list" tabindex={-1}>
              {rows.length > 0 ? (
                <Bulk {...props} folder={folder}>
                  <SubmissionTable
                    rows={rows}
                    caption={folderWords[folder]}
                    line={line}
                    showForm={formsOf(line, forms).length !== 1 && isOfSeveral}
                    selectable
                  />
                </Bulk>
              ) : (
                <>
                  {!isBare && <QuickFilters line={line} isPerson={props.me !== null} />}
                  <Nothing {...props} />
                </>
              )}
              <div id="older" data-fresh>
                <Older {...{ older, isOlder, lookedTo: props.lookedTo }} first={inboxAddress(line)} />
              </div>
              {rows.length > 0 && props.mayExport && only && <Exports identifier={only.identifier} line={line} />}
              {!isBare && props.apiUrl !== null && (
                <AsCurl url={props.apiUrl} hint="Each API token has its own read and unread state." />
              )}
            </div>
          </div>
        </div>
      </div>
      <Keys />
    </Shell>
  );
}

/** Says how many came since the list was shown; the script counts them, and shows them when it is pressed. */
function New() {
  return (
    <div class="new" role="status" data-new>
      <button type="button" class="button primary" hidden>
        <span /> new
      </button>
    </div>
  );
}

/** Leads to the jobs that are under way. */
function Jobs({ jobs }: InboxPageProps) {
  return jobs.map(({ id, isExport, done, total }) => (
    <p class="hint">
      <Icon name="clock" /> <a href={`/jobs/${id}`}>{jobWords.underWay(isExport, done, total)}</a>
    </p>
  ));
}

/** Draws the links to older and to the newest submissions. */
function Older(props: { older: string | null; isOlder: boolean; lookedTo: Date | null; first: string }) {
  if (!props.isOlder && props.older === null) return null;
  return (
    <nav class="pages" aria-label={rowWords.pages}>
      {props.isOlder ? <a href={props.first}>{rowWords.newest}</a> : <span />}
      {props.lookedTo !== null && (
        <span class="hint">
          Searched back to <Time at={props.lookedTo} />
        </span>
      )}
      {props.older !== null && (
        <a href={props.older} rel="next">
          {props.lookedTo === null ? rowWords.older : 'Search older submissions'} <Icon name="chevron-right" />
        </a>
      )}
    </nav>
  );
}

interface MoreProps {
  /** The filter, as it was typed. */
  line: string;
  rows: readonly { id: string }[];
  forms: readonly { unread: number }[];
  mayTriage: boolean;
}

/** Draws the menu of the list: what is rarely done with all of it. */
function More(props: MoreProps) {
  const { line, rows, forms, mayTriage } = props;
  const isUnread = forms.some(({ unread }) => unread > 0);
  return (
    <Menu class="more" icon="ellipsis" isPlain label={inboxWords.more}>
      {isUnread && rows.length > 0 && isWhole(line) && <ReadAll {...props} />}
      <a href="/views">Manage views</a>
      <details class="save-view">
        <summary>Save as view</summary>
        <SaveView line={line} mayShare={mayTriage} />
      </details>
    </Menu>
  );
}

/** Draws a button that marks as read what is new in the forms that are shown, up to the newest row. */
function ReadAll({ line, rows: [newest] }: MoreProps) {
  return (
    <form method="post" action="/inbox/read">
      <input type="hidden" name="q" value={line} />
      <input type="hidden" name="up_to" value={newest?.id} />
      <button type="submit">Mark all as read</button>
    </form>
  );
}

/** Facts that explain an empty list, as the inbox page has them. */
interface NothingProps {
  line: string;
  unclear: readonly string[];
  forms: { name: string; identifier: string }[];
  before: string;
  lookedTo: Date | null;
  mayCreateForms: boolean;
  /** Whether the reader may change forms and their submissions. */
  mayImport: boolean;
}

/** Draws a list without submissions: why it is empty, and the next step. */
function Nothing(props: NothingProps) {
  const { line, forms, before, mayCreateForms, unclear, lookedTo } = props;
  const folder = folderOf(line);
  const fields = parseFilterLine(line, new Date()).values.map(({ name }) => name);
  if (forms.length === 0) {
    return (
      <Empty icon="inbox" title="No submissions yet">
        <p>
          {mayCreateForms
            ? 'Create a form and add it to your site. Submissions appear here.'
            : 'No forms are shared with you yet. Ask your agency.'}
        </p>
        {mayCreateForms && (
          <LinkButton href="/new-form" kind="primary" icon="plus">
            {formWords.create}
          </LinkButton>
        )}
      </Empty>
    );
  }
  if (!isPlain(line) || unclear.length > 0 || lookedTo !== null) {
    return (
      <Empty icon="inbox" title="No results">
        <p>No results for “{line}”.</p>
        {fields.length > 0 && (
          <p>
            <bdi>
              These are no filters, so we looked for fields of these names:{' '}
              {fields.map((name) => `“${name}:”`).join(', ')}.
            </bdi>
          </p>
        )}
        <a href={inboxAddress()}>Show new submissions</a>
      </Empty>
    );
  }
  const [only] = formsOf(line, forms);
  const isFresh = (folder === 'new' || folder === 'all') && before === '';
  return (
    <Empty icon="inbox" title={inboxWords.emptyFolders[folder].title}>
      <p>{inboxWords.emptyFolders[folder].text}</p>
      {isFresh && (
        <LinkButton href={only ? `/forms/${only.identifier}` : '/forms'} kind="primary">
          {only ? 'Open the form' : 'Open forms'}
        </LinkButton>
      )}
      {isFresh && only && props.mayImport && (
        <a href={`/forms/${only.identifier}/import`}>Import from another service</a>
      )}
    </Empty>
  );
}
