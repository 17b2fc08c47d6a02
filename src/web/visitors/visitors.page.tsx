import {
  BY_TIME,
  Pages,
  Button,
  Field,
  LinkButton,
  ActionForm,
  Actions,
  Notice,
  partWords,
  Table,
} from '../parts/index.js';
import { type FieldProblem, byteSize } from '../../platform/index.js';
import { Page, useFrame } from '../layout/shell.js';
import type { VisitorTraces } from '../../search/visitors/visitors.service.js';
import { SubmissionTable, type InboxRow } from '../rows/submission-table.js';

/** Words of the pages that find and erase the submissions of a visitor. */
export const visitorWords = {
  title: 'Find a visitor',
  erase: 'Erase visitor',
  wrong: 'Type the address exactly as shown above.',
} as const;

/** Asks for the address of a visitor; after an erasure it has the receipt. */
export function FindVisitorPage(props: { email: string; problems: FieldProblem[]; receipt: string | null }) {
  const { email, problems } = props;
  // Without the sentence of an erasure, the address is one that anybody may have written.
  const receipt = useFrame().flash?.flash === 'visitor_erased' ? props.receipt : null;
  return (
    <Page title={visitorWords.title} section="visitors">
      {receipt !== null && (
        <Notice kind="good">
          <p>
            Receipt: <code>{receipt}</code>
          </p>
          <p>The audit log records this receipt in place of the address. Keep it with the visitor’s request.</p>
        </Notice>
      )}
      <p class="hint">Find everything a visitor sent with an email address, across all forms.</p>
      <form class="filter" action="/visitors" novalidate>
        <Field
          name="email"
          label="Email address of the visitor"
          type="email"
          value={email}
          maxlength={254}
          autocomplete="off"
          problems={problems}
        />
        <Button>Find</Button>
      </form>
    </Page>
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
    <Page
      title={email}
      section="visitors"
      up={{ href: '/visitors', label: visitorWords.title }}
      actions={
        props.mayErase && (
          <LinkButton href={`${path}/erase`} kind="danger" icon="trash-2">
            {visitorWords.erase}
          </LinkButton>
        )
      }
    >
      <p class="hint">{`${traces.submissions === 1 ? 'One submission' : `${traces.submissions.toLocaleString('en')} submissions`} in ${traces.forms.length === 1 ? 'one form' : `${traces.forms.length} forms`}, including spam and trash`}</p>
      <SubmissionTable
        rows={rows}
        caption="Everything from this address"
        line={line}
        showForm={traces.forms.length > 1}
      />
      <Pages pages={{ first: props.isOlder ? path : null, next: older }} words={BY_TIME} />
    </Page>
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
    <Page title={visitorWords.erase} section="visitors" up={{ href: path, label: email }}>
      <Preview traces={traces} />
      <Notice kind="warn">
        <p>
          You cannot undo this. We cannot recall emails and webhook calls that were already sent, and backups keep the
          data until you delete them.
        </p>
      </Notice>
      <ActionForm action={`${path}/erase`} problems={problems}>
        <Field name="typed_email" label={`Type ${email} to continue`} autocomplete="off" inputmode="email" />
        <Actions>
          <Button kind="danger" icon="trash-2">
            Erase everything
          </Button>
          <LinkButton href={path}>{partWords.cancel}</LinkButton>
        </Actions>
      </ActionForm>
    </Page>
  );
}

/** Draws how many submissions go from each form, and what goes with them. */
function Preview({ traces }: { traces: VisitorTraces }) {
  const { files, fileBytes } = traces;
  const others = [
    [files === 0 ? 'Files' : `Files, ${byteSize(fileBytes)}`, traces.files],
    ['Notes of your team', traces.notes],
    ['Emails sent', traces.mails],
    ['Webhook calls', traces.webhookCalls],
  ] as const;
  return (
    <Table class="amounts" caption="Data to erase" head={['Data', { number: 'Count' }]}>
      {traces.forms.map(({ form, submissions }) => (
        <tr>
          <th scope="row">
            Form “<bdi>{form.name}</bdi>”
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
  );
}
