import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Button, Field, LinkButton, ActionForm, Actions } from '../parts/controls.js';
import { Notice, PageHead, Icon, partWords, Table } from '../parts/content.js';
import { Shell, useFrame } from '../layout/shell.js';
import type { VisitorTraces } from '../../search/visitors/visitors.service.js';
import { SubmissionTable, type InboxRow, rowWords } from '../rows/submission-table.js';
import { byteSize } from '../../platform/kernel/byte-size.js';

/** Words of the pages that find and erase the submissions of a visitor. */
export const visitorWords = {
  title: 'Find a visitor',
  hint: 'Find everything a visitor sent with an email address, across all forms.',
  email: 'Email address of the visitor',
  find: 'Find',
  notAnAddress: 'Enter an email address such as jane@example.com',
  nothing: (email: string) => `No submissions from ${email}.`,
  all: 'Everything from this address',
  submissions: (count: number, forms: number) =>
    `${count === 1 ? 'One submission' : `${count.toLocaleString('en')} submissions`} in ${forms === 1 ? 'one form' : `${forms} forms`}, including spam and trash`,
  erase: 'Erase visitor',
  goes: 'Data to erase',
  form: 'Form',
  what: 'Data',
  count: 'Count',
  sum: 'All submissions',
  files: (size: string) => `Files, ${size}`,
  noFiles: 'Files',
  mails: 'Emails sent',
  webhookCalls: 'Webhook calls',
  notes: 'Notes of your team',
  stays:
    'You cannot undo this. We cannot recall emails and webhook calls that were already sent, and backups keep the data until you delete them.',
  type: (email: string) => `Type ${email} to continue`,
  wrong: 'Type the address exactly as shown above.',
  go: 'Erase everything',
  receipt: 'Receipt',
  receiptHint:
    'The audit log records this receipt in place of the address. Keep it with the visitor’s request.',
} as const;

/** Asks for the address of a visitor; after an erasure it has the receipt. */
export function FindVisitorPage(props: {
  email: string;
  problems: FieldProblem[];
  receipt: string | null;
}) {
  const { email, problems } = props;
  // Without the sentence of an erasure, the address is one that anybody may have written.
  const receipt = useFrame().flash?.flash === 'visitor_erased' ? props.receipt : null;
  return (
    <Shell title={visitorWords.title} section="visitors">
      <PageHead title={visitorWords.title} />
      {receipt !== null && (
        <Notice kind="good">
          <p>
            {visitorWords.receipt}: <code>{receipt}</code>
          </p>
          <p>{visitorWords.receiptHint}</p>
        </Notice>
      )}
      <p class="hint">{visitorWords.hint}</p>
      <form class="filter" action="/visitors" novalidate>
        <Field
          name="email"
          label={visitorWords.email}
          type="email"
          value={email}
          maxlength={254}
          autocomplete="off"
          problems={problems}
        />
        <Button>{visitorWords.find}</Button>
      </form>
    </Shell>
  );
}

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
    <Shell title={email} section="visitors">
      <PageHead title={email} up={{ href: '/visitors', label: visitorWords.title }}>
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

/** Shows what goes when a person is erased, and asks for the address once more. */
export function EraseVisitorPage(props: {
  email: string;
  /** Path of what was sent under the address. */
  path: string;
  traces: VisitorTraces;
  problems: FieldProblem[];
}) {
  const { email, path, traces, problems } = props;
  return (
    <Shell title={visitorWords.erase} section="visitors">
      <PageHead title={visitorWords.erase} up={{ href: path, label: email }} />
      <Preview traces={traces} />
      <Notice kind="warn">
        <p>{visitorWords.stays}</p>
      </Notice>
      <ActionForm action={`${path}/erase`} problems={problems}>
        <Field
          name="typed_email"
          label={visitorWords.type(email)}
          autocomplete="off"
          inputmode="email"
          problems={problems}
        />
        <Actions>
          <Button kind="danger" icon="trash-2">
            {visitorWords.go}
          </Button>
          <LinkButton href={path}>{partWords.cancel}</LinkButton>
        </Actions>
      </ActionForm>
    </Shell>
  );
}

/** Draws how many submissions go from each form, and what goes with them. */
function Preview({ traces }: { traces: VisitorTraces }) {
  const { files, fileBytes } = traces;
  const others = [
    [files === 0 ? visitorWords.noFiles : visitorWords.files(byteSize(fileBytes)), traces.files],
    [visitorWords.notes, traces.notes],
    [visitorWords.mails, traces.mails],
    [visitorWords.webhookCalls, traces.webhookCalls],
  ] as const;
  return (
    <div class="panel">
      <Table
        class="amounts"
        caption={visitorWords.goes}
        head={[visitorWords.what, { number: visitorWords.count }]}
      >
        {traces.forms.map(({ form, submissions }) => (
          <tr>
            <th scope="row">
              {visitorWords.form} “<bdi>{form.name}</bdi>”
            </th>
            <td class="number">{submissions.toLocaleString('en')}</td>
          </tr>
        ))}
        {others.map(([label, count]) => (
          <tr>
            <th scope="row">{label}</th>
            <td class="number">{count.toLocaleString('en')}</td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
