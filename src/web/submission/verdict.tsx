import { CALLS, TO_STRANGERS } from '../../deliveries/model/delivery-kinds.js';
import { INFECTED_FILES, type SpamPart } from '../../spam/evidence/verdict.js';
import { ActionForm, Button } from '../parts/controls.js';
import { Icon } from '../parts/icon.js';
import { submissionWords } from './words.js';

/** A delivery that waits for somebody to say that it is no spam. */
export interface Withheld {
  kind: keyof typeof submissionWords.kinds;
  recipient: string;
}

interface VerdictProps {
  /** Address of the submission. */
  here: string;
  /** The filter that it was opened from; null for none. */
  line: string | null;
  spam: boolean;
  spamReason: string | null;
  held: boolean;
  parts: readonly SpamPart[];
  withheld: readonly Withheld[];
  mayTriage: boolean;
  /** Whether the reader acts for a client, and learns no addresses of the team. */
  isOfClient: boolean;
}

/** Draws in one line whether a submission is spam or held, and behind it why, and what "Not spam" sends. */
export function VerdictNotice(props: VerdictProps & AlwaysAllowProps) {
  const { spam, held, spamReason, parts, withheld, mayTriage } = props;
  if (!spam && !held) return <AlwaysAllow {...props} />;
  const isInfected = parts.some(({ name }) => name === INFECTED_FILES);
  const reasons = parts
    .filter(({ name, points }) => points > 0 || name === INFECTED_FILES)
    .map(({ reason }) => reason);
  const shown = reasons.length > 0 ? reasons : spamReason === null ? [] : [spamReason];
  return (
    <div class="verdict">
      <Icon name="shield-alert" />
      <p>
        {submissionWords[spam ? 'isSpam' : isInfected ? 'isInfected' : 'isHeld'](
          withheld.length > 0,
        )}
      </p>
      {mayTriage && <Release {...props} />}
      <details class="why" open={shown.length === 0 || isInfected}>
        <summary>{submissionWords.why}</summary>
        <ul>
          {shown.map((reason) => (
            <li>{reason}</li>
          ))}
        </ul>
        {mayTriage && <OnRelease {...props} />}
        {isInfected && <p>{submissionWords.unlocks}</p>}
        <AlwaysAllow {...props} />
      </details>
    </div>
  );
}

/** Names the deliveries that "Not spam" makes. */
function OnRelease({ withheld, isOfClient }: Pick<VerdictProps, 'withheld' | 'isOfClient'>) {
  if (withheld.length === 0) return <p>{submissionWords.nothingOnRestore}</p>;
  const items = withheld.map(({ kind, recipient }) =>
    isOfClient && !TO_STRANGERS.includes(kind)
      ? submissionWords.teamNotice
      : `${submissionWords.kinds[kind]} (${recipient})`,
  );
  return <p>{submissionWords.onRestore([...new Set(items)].join(', '))}</p>;
}

/** Draws the button that says that it is no spam, with what that sends. */
function Release({ here, line, withheld }: VerdictProps) {
  const calls = withheld.filter(({ kind }) => CALLS.includes(kind)).length;
  return (
    <ActionForm action={`${here}/marks`} class="buttons">
      {line !== null && <input type="hidden" name="q" value={line} />}
      <Button kind="primary" icon="inbox" name="spam" value="false">
        {submissionWords.release(withheld.length - calls, calls)}
      </Button>
    </ActionForm>
  );
}

interface AlwaysAllowProps {
  form: { identifier: string };
  id: string;
  line: string | null;
  allowable: readonly string[];
  allowableOrigin: string | null;
}

/** Draws buttons that allow the sender, or the page it was sent from, from now on, which "Not spam" alone does not. */
function AlwaysAllow(props: AlwaysAllowProps) {
  const { form, allowable, allowableOrigin: domain } = props;
  return (
    <>
      {domain !== null && (
        <ActionForm action={`/forms/${form.identifier}/origins`} class="buttons">
          <Back {...props} />
          <Button kind="plain" icon="check" name="domain" value={domain}>
            {submissionWords.allowSite(domain)}
          </Button>
        </ActionForm>
      )}
      {allowable.length > 0 && <Senders {...props} />}
    </>
  );
}

/** Says which submission to come back to. */
function Back({ id, line }: Pick<AlwaysAllowProps, 'id' | 'line'>) {
  return (
    <>
      <input type="hidden" name="submission" value={id} />
      {line !== null && <input type="hidden" name="q" value={line} />}
    </>
  );
}

function Senders({ form, allowable, ...from }: AlwaysAllowProps) {
  return (
    <ActionForm action={`/forms/${form.identifier}/spam/lists/allow`} class="buttons">
      <Back {...from} />
      {allowable.map((entry) => (
        <Button kind="plain" icon="check" name="entry" value={entry}>
          {submissionWords.alwaysAllow(entry)}
        </Button>
      ))}
    </ActionForm>
  );
}
