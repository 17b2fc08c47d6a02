import { LinkButton } from '../layout/controls.js';
import { Empty, PageHead } from '../layout/content.js';
import { Icon } from '../layout/icon.js';
import { Shell, type Frame } from '../layout/shell.js';
import { Time } from '../layout/time.js';
import { words } from '../words.js';
import { previewOf, type Answer } from './preview.js';

/** A submission as lists show it. */
export interface InboxRow {
  id: string;
  form: { name: string; identifier: string };
  receivedAt: Date;
  answers: Answer[];
  files: number;
}

export interface InboxPageProps {
  frame: Frame;
  rows: InboxRow[];
  /** Address of the page with older ones; null on the last. */
  older: string | null;
  /** Whether this page is not the first. */
  isOlder: boolean;
  hasForms: boolean;
}

/** Draws the newest submissions over all forms. */
export function InboxPage({ frame, rows, older, isOlder, hasForms }: InboxPageProps) {
  const { inbox } = words;
  return (
    <Shell title={inbox.title} frame={frame} section="inbox">
      <PageHead title={inbox.title} />
      {rows.length > 0 ? (
        <SubmissionTable rows={rows} caption={inbox.title} showForm />
      ) : (
        <Empty icon="inbox" title={inbox.emptyTitle}>
          <p>{hasForms ? inbox.emptyWithForms : inbox.emptyWithoutForms}</p>
          <LinkButton href={hasForms ? '/forms' : '/new-form'} kind="primary">
            {hasForms ? inbox.toForms : words.form.create}
          </LinkButton>
        </Empty>
      )}
      <Older older={older} isOlder={isOlder} first="/inbox" />
    </Shell>
  );
}

/** Draws the way through a list that goes back in time. */
export function Older(props: { older: string | null; isOlder: boolean; first: string }) {
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
      <table>
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
          {props.rows.map((row) => {
            const { from, rest } = previewOf(row.answers);
            return (
              <tr>
                <th scope="row">
                  <a class="row" href={`/forms/${row.form.identifier}/submissions/${row.id}`}>
                    {from === '' ? inbox.noValues : from}
                  </a>
                </th>
                <td class="wide">
                  <span class="preview">
                    {row.files > 0 && (
                      <>
                        <Icon name="paperclip" /> {inbox.files(row.files)}
                        {rest !== '' && ' · '}
                      </>
                    )}
                    {rest}
                  </span>
                </td>
                {props.showForm && <td class="quiet short">{row.form.name}</td>}
                <td class="number quiet">
                  <Time at={row.receivedAt} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
