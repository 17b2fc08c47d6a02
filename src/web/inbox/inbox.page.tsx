import { Button, Field, LinkButton, Select } from '../layout/controls.js';
import { Empty, PageHead } from '../layout/content.js';
import { Icon } from '../layout/icon.js';
import { Shell, type Frame } from '../layout/shell.js';
import { Time } from '../layout/time.js';
import { words } from '../words.js';
import { FOLDER_NAMES, inboxAddress, type InboxQuery } from './folders.js';

/** A submission as lists show it. */
export interface InboxRow {
  id: string;
  form: { name: string; identifier: string };
  receivedAt: Date;
  /** Who it is from, and the other values in one line. */
  from: string;
  rest: string;
  files: number;
}

export interface InboxPageProps {
  frame: Frame;
  rows: InboxRow[];
  /** Address of the page with older ones; null on the last. */
  older: string | null;
  /** Whether this page is not the first. */
  isOlder: boolean;
  query: InboxQuery;
  /** Every form of whoever looks. */
  forms: { name: string; identifier: string }[];
  mayCreateForms: boolean;
}

/** Draws the newest submissions of a folder, over all forms or of one. */
export function InboxPage(props: InboxPageProps) {
  const { frame, rows, older, isOlder, query, forms } = props;
  const { inbox } = words;
  const isBare = forms.length === 0;
  return (
    <Shell title={inbox.title} frame={frame} section="inbox">
      <PageHead title={inbox.title} />
      {!isBare && <Folders query={query} />}
      {!isBare && <Filter query={query} forms={forms} />}
      {rows.length > 0 ? (
        <SubmissionTable
          rows={rows}
          caption={inbox.folders[query.folder]}
          showForm={query.form === ''}
        />
      ) : (
        <Nothing {...props} />
      )}
      <Older older={older} isOlder={isOlder} first={inboxAddress(query)} />
    </Shell>
  );
}

function Folders({ query }: { query: InboxQuery }) {
  const { inbox } = words;
  return (
    <nav class="tabs" aria-label={inbox.foldersLabel}>
      {FOLDER_NAMES.map((folder) => (
        <a
          href={inboxAddress({ ...query, folder })}
          aria-current={folder === query.folder ? 'page' : undefined}
        >
          {inbox.folders[folder]}
        </a>
      ))}
    </nav>
  );
}

/** Asks by GET, so that what is found can be kept as an address. Searching looks into one form. */
function Filter({ query, forms }: Pick<InboxPageProps, 'query' | 'forms'>) {
  const { inbox } = words;
  const options = forms.map(({ name, identifier }) => ({ value: identifier, label: name }));
  return (
    <form class="filter" action="/inbox" role="search">
      {query.folder !== 'inbox' && <input type="hidden" name="folder" value={query.folder} />}
      <Select
        name="form"
        label={inbox.form}
        value={query.form}
        options={[{ value: '', label: inbox.allForms }, ...options]}
      />
      {query.form !== '' && (
        <Field name="query" label={inbox.search} type="search" value={query.query} />
      )}
      <Button kind="plain">{query.form === '' ? inbox.show : inbox.find}</Button>
      {(query.form !== '' || query.query !== '') && (
        <a class="quiet" href={inboxAddress({ folder: query.folder })}>
          {inbox.showAll}
        </a>
      )}
    </form>
  );
}

function Nothing({ query, forms, isOlder, mayCreateForms }: InboxPageProps) {
  const { inbox } = words;
  if (forms.length === 0) {
    return (
      <Empty icon="inbox" title={inbox.emptyTitle}>
        <p>{mayCreateForms ? inbox.emptyWithoutForms : inbox.emptyForClients}</p>
        {mayCreateForms && (
          <LinkButton href="/new-form" kind="primary" icon="plus">
            {words.form.create}
          </LinkButton>
        )}
      </Empty>
    );
  }
  if (query.query !== '') {
    return (
      <Empty icon="inbox" title={inbox.nothingFound}>
        <p>{inbox.nothingFoundHint(query.query)}</p>
      </Empty>
    );
  }
  return (
    <Empty icon="inbox" title={inbox.emptyFolders[query.folder].title}>
      <p>{inbox.emptyFolders[query.folder].text}</p>
      {query.folder === 'inbox' && !isOlder && (
        <LinkButton href={query.form === '' ? '/forms' : `/forms/${query.form}`} kind="primary">
          {query.form === '' ? inbox.toForms : inbox.toForm}
        </LinkButton>
      )}
    </Empty>
  );
}

/** Draws the way through a list that goes back in time. */
function Older(props: { older: string | null; isOlder: boolean; first: string }) {
  if (!props.isOlder && props.older === null) return null;
  return (
    <nav class="pages" aria-label={words.inbox.pages}>
      {props.isOlder ? <a href={props.first}>{words.inbox.newest}</a> : <span />}
      {props.older !== null && (
        <a href={props.older} rel="next">
          {words.inbox.older} <Icon name="chevron-right" />
        </a>
      )}
    </nav>
  );
}

/** Draws submissions, one a row; the row is the link. */
export function SubmissionTable(props: { rows: InboxRow[]; caption: string; showForm?: boolean }) {
  const { inbox } = words;
  return (
    <div class="panel">
      <table class="submissions">
        <caption>{props.caption}</caption>
        <thead>
          <tr>
            <th scope="col" class="table-from">
              {inbox.from}
            </th>
            <th scope="col">{inbox.content}</th>
            {props.showForm && <th scope="col">{inbox.form}</th>}
            <th scope="col" class="number">
              {inbox.received}
            </th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr>
              <th scope="row">
                <a class="row" dir="auto" href={`/inbox/${row.form.identifier}/${row.id}`}>
                  {row.from === '' ? inbox.noValues : row.from}
                </a>
              </th>
              <td class="wide">
                <span class="preview" dir="auto">
                  {row.files > 0 && (
                    <>
                      <Icon name="paperclip" /> {inbox.files(row.files)}
                      {row.rest !== '' && ' · '}
                    </>
                  )}
                  {row.rest}
                </span>
              </td>
              {props.showForm && <td class="quiet short">{row.form.name}</td>}
              <td class="number quiet">
                <Time at={row.receivedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
