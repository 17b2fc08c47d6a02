import { layoutWords } from '../layout/words.js';
import type { VisitorTraces } from '../../search/visitors/visitors.service.js';
import { SubmissionTable, type InboxRow } from '../rows/submission-table.js';
import { LinkButton } from '../parts/controls.js';
import { PageHead } from '../parts/content.js';
import { Icon } from '../parts/icon.js';
import { Shell } from '../layout/shell.js';
import { rowWords } from '../rows/words.js';
import { visitorWords } from './words.js';

/** Draws everything that was sent under an email address, newest first. */
export function VisitorPage(props: {
  email: string;
  /** Path of this page. */
  path: string;
  traces: VisitorTraces;
  rows: InboxRow[];
  /** The filter that means the same, but for spam and the trash. */
  line: string;
  /** Address of the page with older ones; null on the last. */
  older: string | null;
  isOlder: boolean;
  mayErase: boolean;
}) {
  const { email, path, traces, rows, line, older } = props;
  return (
    <Shell title={email} section="inbox">
      <PageHead title={email} up={{ href: '/inbox', label: layoutWords.nav.inbox }}>
        {props.mayErase && (
          <LinkButton href={`${path}/erase`} kind="danger" icon="trash-2">
            {visitorWords.erase}
          </LinkButton>
        )}
      </PageHead>
      <p class="hint">{visitorWords.submissions(traces.submissions, traces.forms.length)}</p>
      <SubmissionTable
        rows={rows}
        caption={visitorWords.all}
        line={line}
        showForm={traces.forms.length > 1}
      />
      {(props.isOlder || older !== null) && (
        <nav class="pages" aria-label={rowWords.pages}>
          {props.isOlder ? <a href={path}>{rowWords.newest}</a> : <span />}
          {older !== null && (
            <a href={older} rel="next">
              {rowWords.older} <Icon name="chevron-right" />
            </a>
          )}
        </nav>
      )}
    </Shell>
  );
}
