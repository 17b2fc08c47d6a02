import { inboxOf } from '../addresses/folders.js';
import { Exports } from '../jobs/exports.js';
import { SubmissionTable, type InboxRow } from '../rows/submission-table.js';
import { Button, LinkButton } from '../parts/controls.js';
import { Copyable, LiveRegion, PageHead } from '../parts/content.js';
import { AsCurl } from '../layout/curl.js';
import { Icon } from '../parts/icon.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';
import { snippetsFor, type Asked } from './snippets.js';
import { isOfService, WarningNotice, type FormWarning } from '../deliveries/warning.js';

/** How often the page asks whether the first submission is there, in seconds. */
const ASKED_EVERY_S = 2;

export interface FormPageProps {
  frame: Frame;
  name: string;
  identifier: string;
  /** The public address that takes submissions. */
  address: string;
  /** What its visitors are asked for. */
  asked: Asked;
  count: number;
  warnings: FormWarning[];
  /** The newest submissions. */
  rows: InboxRow[];
  /** Address in the API of the newest submissions; null for people of a client. */
  apiUrl: string | null;
  mayChange: boolean;
  mayExport: boolean;
  mayCount: boolean;
}

/** Draws a form: its submissions, and how it gets into a page; before the first one, only the latter. */
export function FormPage(props: FormPageProps) {
  const { form } = words;
  const isNew = props.count === 0 && props.rows.length === 0;
  return (
    <Shell title={props.name} frame={props.frame} section="forms">
      <PageHead title={props.name} up={{ href: '/forms', label: form.list }}>
        {props.mayCount && (
          <LinkButton href={`/forms/${props.identifier}/statistics`} icon="chart-column">
            {words.statistics.title}
          </LinkButton>
        )}
        {props.mayChange && (
          <>
            <LinkButton href={`/forms/${props.identifier}/webhook`} icon="webhook">
              {words.webhook.title}
            </LinkButton>
            <LinkButton href={`/forms/${props.identifier}/settings`} icon="settings">
              {form.settings}
            </LinkButton>
          </>
        )}
      </PageHead>
      {props.warnings
        .filter((warning) => !isOfService(warning))
        .map((warning) => (
          <WarningNotice {...warning} {...props} />
        ))}
      <LiveRegion
        id="first"
        href={`/forms/${props.identifier}`}
        seconds={ASKED_EVERY_S}
        live={isNew}
      >
        {isNew ? <Waiting {...props} /> : <Submissions {...props} />}
      </LiveRegion>
      {isNew ? <Install {...props} /> : <Folded {...props} />}
      {!isNew && props.apiUrl !== null && <AsCurl url={props.apiUrl} frame={props.frame} />}
    </Shell>
  );
}

function Waiting({ identifier, mayChange }: FormPageProps) {
  const { form } = words;
  return (
    <div class="panel">
      <div class="waiting">
        <span class="dot" />
        <div>
          <h2>{form.waiting}</h2>
          <p class="hint">{form.waitingHint}</p>
          <noscript>
            <a href={`/forms/${identifier}`}>{form.waitingWithoutScript}</a>
          </noscript>
        </div>
      </div>
      {mayChange && <TestForm identifier={identifier} />}
    </div>
  );
}

function Submissions({ rows, count, identifier, mayExport }: FormPageProps) {
  const { form } = words;
  return (
    <>
      {count === 1 && (
        <div class="panel arrived">
          <div class="waiting">
            <span class="dot" />
            <div>
              <h2>{form.arrived}</h2>
              <p class="hint">{form.arrivedHint}</p>
            </div>
          </div>
        </div>
      )}
      <section>
        <h2>
          {form.submissions} <span class="quiet">{count.toLocaleString('en')}</span>
        </h2>
        {rows.length > 0 && (
          <SubmissionTable rows={rows} caption={form.submissions} line={`form:${identifier}`} />
        )}
        <p>
          <LinkButton href={inboxOf(identifier)} icon="inbox">
            {form.toInbox}
          </LinkButton>
        </p>
        {mayExport && <Exports identifier={identifier} line="" />}
      </section>
    </>
  );
}

type InstallProps = Pick<FormPageProps, 'address' | 'asked'>;

/** Draws a button that submits the form as a visitor would. */
function TestForm({ identifier }: { identifier: string }) {
  const { form } = words;
  return (
    <form class="test" method="post" action={`/f/${identifier}`} target="_blank" data-quietly>
      <input type="hidden" name="name" value="Jane Doe" />
      <input type="hidden" name="email" value="jane@example.com" />
      <input type="hidden" name="message" value="This is a test." />
      <Button kind="plain" icon="send">
        {form.test}
      </Button>
      <p class="hint">{form.testHint}</p>
    </form>
  );
}

function Install(props: InstallProps) {
  const { form } = words;
  return (
    <section>
      <h2>{form.install}</h2>
      <p class="hint">{form.installHint}</p>
      <Snippets {...props} />
    </section>
  );
}

function Folded(props: FormPageProps) {
  const { identifier, mayChange } = props;
  const { form } = words;
  return (
    <details class="folded">
      <summary>
        <Icon name="chevron-right" /> {form.install}
      </summary>
      <p class="hint">{form.installHint}</p>
      <Snippets {...props} />
      {mayChange && <TestForm identifier={identifier} />}
    </details>
  );
}

/** Draws the snippets; browsers keep one of them open at a time. */
function Snippets({ address, asked }: InstallProps) {
  return (
    <div class="snippets">
      {snippetsFor(address, asked).map(({ name, code }, index) => (
        <details name="snippet" open={index === 0}>
          <summary>{name}</summary>
          <Copyable id={`snippet-${name}`} text={code} />
        </details>
      ))}
    </div>
  );
}
