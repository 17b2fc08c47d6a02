import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Confirm } from '../parts/confirm.js';
import { Copyable, Notice, PageHead, State } from '../parts/content.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

const { host: say } = words;

/** A host of a client, and what proves it. */
interface HostShown {
  name: string;
  isProven: boolean;
  record: { name: string; value: string };
  fileUrls: string[];
}

export interface ClientHostPageProps {
  frame: Frame;
  client: { id: number; name: string };
  /** Null while the client has none. */
  host: HostShown | null;
  /** Whether this service takes hosts of clients. */
  isOn: boolean;
  /** Address of the service. */
  baseUrl: string;
  typed: string;
  problems: FieldProblem[];
}

/** Draws the host of a client's own, how to prove it, and where it is to lead. */
export function ClientHostPage(props: ClientHostPageProps) {
  const { frame, client, host, isOn, baseUrl, typed, problems } = props;
  const here = `/clients/${client.id}`;
  const title = say.title(client.name);
  const unproven = problems.filter(({ field }) => field === 'host');
  const refused = problems.filter(({ field }) => field !== 'host');
  return (
    <Shell title={title} frame={frame} section="clients">
      <PageHead title={title} up={{ href: here, label: client.name }} />
      {!host?.isProven && <p>{say.hint(baseUrl)}</p>}
      {!isOn && <Notice kind="warn">{say.off}</Notice>}
      {host && <Proof {...{ host, here, baseUrl, problems: unproven }} />}
      {isOn && (
        <ActionForm action={`${here}/host`} problems={refused}>
          <Field
            name="host.name"
            label={host ? say.otherName : say.name}
            hint={say.nameHint}
            value={typed}
            autocomplete="off"
            problems={refused}
            required
          />
          <Actions>
            <Button kind={host ? 'plain' : 'primary'}>{host ? say.other : say.ask}</Button>
          </Actions>
        </ActionForm>
      )}
      {host && (
        <section class="apart">
          <h2>{say.release}</h2>
          <p class="hint">{say.releaseHint}</p>
          <Confirm
            action={`${here}/host/release`}
            label={say.release}
            question={say.releaseSure(host.name)}
            go={say.releaseGo}
            icon="trash-2"
          />
        </section>
      )}
    </Shell>
  );
}

function Proof(props: {
  host: HostShown;
  here: string;
  baseUrl: string;
  problems: FieldProblem[];
}) {
  const { host, here, baseUrl, problems } = props;
  const { name, record, fileUrls } = host;
  const ownName = new URL(baseUrl).hostname;
  if (host.isProven) {
    return (
      <section>
        <h2>{name}</h2>
        <Notice kind="good">{say.serves}</Notice>
        <p class="hint">{say.keep(name, ownName)}</p>
      </section>
    );
  }
  return (
    <section>
      <h2 id="f-host">
        {name} <State kind="warn">{say.waits}</State>
      </h2>
      <p>{say.lead(name, ownName)}</p>
      <p>{say.proofHint}</p>
      <h3>{say.record}</h3>
      <Copyable id="proof-name" text={record.name} />
      <h3>{say.value}</h3>
      <Copyable id="proof-value" text={record.value} />
      <h3>{say.file}</h3>
      <Copyable id="proof-file" text={fileUrls[0] ?? ''} />
      <ActionForm action={`${here}/host/verify`} problems={problems}>
        <Actions>
          <Button>{say.check}</Button>
        </Actions>
      </ActionForm>
    </section>
  );
}
