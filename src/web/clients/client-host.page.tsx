import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Confirm } from '../parts/confirm.js';
import { Copyable, Notice, PageHead, State } from '../parts/content.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { Shell } from '../layout/shell.js';
import { hostWords } from './words.js';

/** A host of a client, and what proves it. */
interface HostShown {
  name: string;
  isProven: boolean;
  record: { name: string; value: string };
  fileUrls: string[];
}

export interface ClientHostPageProps {
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
  const { client, host, isOn, baseUrl, typed, problems } = props;
  const here = `/clients/${client.id}`;
  const title = hostWords.title(client.name);
  const unproven = problems.filter(({ field }) => field === 'host');
  const refused = problems.filter(({ field }) => field !== 'host');
  return (
    <Shell title={title} section="clients">
      <PageHead title={title} up={{ href: here, label: client.name }} />
      {!host?.isProven && <p>{hostWords.hint(baseUrl)}</p>}
      {!isOn && <Notice kind="warn">{hostWords.off}</Notice>}
      {host && <Proof {...{ host, here, baseUrl, problems: unproven }} />}
      {isOn && (
        <ActionForm action={`${here}/host`} problems={refused}>
          <Field
            name="host.name"
            label={host ? hostWords.otherName : hostWords.name}
            hint={hostWords.nameHint}
            value={typed}
            autocomplete="off"
            problems={refused}
            required
          />
          <Actions>
            <Button kind={host ? 'plain' : 'primary'}>
              {host ? hostWords.other : hostWords.ask}
            </Button>
          </Actions>
        </ActionForm>
      )}
      {host && (
        <section class="apart">
          <h2>{hostWords.release}</h2>
          <p class="hint">{hostWords.releaseHint}</p>
          <Confirm
            action={`${here}/host/release`}
            label={hostWords.release}
            question={hostWords.releaseSure(host.name)}
            go={hostWords.releaseGo}
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
        <Notice kind="good">{hostWords.serves}</Notice>
        <p class="hint">{hostWords.keep(name, ownName)}</p>
      </section>
    );
  }
  return (
    <section>
      <h2 id="f-host">
        {name} <State kind="warn">{hostWords.waits}</State>
      </h2>
      <p>{hostWords.lead(name, ownName)}</p>
      <p>{hostWords.proofHint}</p>
      <h3>{hostWords.record}</h3>
      <Copyable id="proof-name" text={record.name} />
      <h3>{hostWords.value}</h3>
      <Copyable id="proof-value" text={record.value} />
      <h3>{hostWords.file}</h3>
      <Copyable id="proof-file" text={fileUrls[0] ?? ''} />
      <ActionForm action={`${here}/host/verify`} problems={problems}>
        <Actions>
          <Button>{hostWords.check}</Button>
        </Actions>
      </ActionForm>
    </section>
  );
}
