import type { SpamPart } from '../../spam/verdict.js';
import { Notice } from '../layout/content.js';
import { ActionForm, Button } from '../layout/controls.js';
import { words } from '../words.js';

/** A delivery that waits for somebody to say that it is no spam. */
export interface Withheld {
  kind: keyof typeof words.submission.kinds;
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
}

/** Draws why a submission is spam or held, and what "Not spam" sends before it does. */
export function VerdictNotice(props: VerdictProps) {
  const { submission } = words;
  const { spam, held, spamReason, parts, withheld, mayTriage } = props;
  if (!spam && !held) return null;
  const reasons = parts.filter(({ points }) => points > 0).map(({ reason }) => reason);
  const shown = reasons.length > 0 ? reasons : spamReason === null ? [] : [spamReason];
  return (
    <Notice kind="warn">
      <p>{spam ? submission.isSpam : submission.isHeld}</p>
      {shown.map((reason) => (
        <p>{reason}</p>
      ))}
      {mayTriage && <OnRelease withheld={withheld} />}
      {mayTriage && held && <Release {...props} />}
    </Notice>
  );
}

/** Names the deliveries that "Not spam" makes. */
function OnRelease({ withheld }: Pick<VerdictProps, 'withheld'>) {
  const { submission } = words;
  if (withheld.length === 0) return <p>{submission.nothingOnRestore}</p>;
  const items = withheld.map(({ kind, recipient }) => `${submission.kinds[kind]} (${recipient})`);
  return <p>{submission.onRestore(items.join(', '))}</p>;
}

/** Draws the buttons between which whoever looks at a held submission chooses. */
function Release({ here, line, withheld }: VerdictProps) {
  const { submission } = words;
  const calls = withheld.filter(({ kind }) => kind === 'webhook').length;
  return (
    <ActionForm action={`${here}/marks`} class="buttons">
      {line !== null && <input type="hidden" name="q" value={line} />}
      <Button kind="primary" icon="inbox" name="spam" value="false">
        {submission.release(withheld.length - calls, calls)}
      </Button>
    </ActionForm>
  );
}

interface AlwaysAllowProps {
  form: { identifier: string };
  id: string;
  line: string | null;
  allowable: readonly string[];
}

/** Draws buttons that allow the sender from now on, which "Not spam" alone does not. */
export function AlwaysAllow({ form, id, line, allowable }: AlwaysAllowProps) {
  if (allowable.length === 0) return null;
  return (
    <ActionForm action={`/forms/${form.identifier}/spam/lists/allow`} class="buttons">
      <input type="hidden" name="submission" value={id} />
      {line !== null && <input type="hidden" name="q" value={line} />}
      {allowable.map((entry) => (
        <Button kind="plain" icon="check" name="entry" value={entry}>
          {words.submission.alwaysAllow(entry)}
        </Button>
      ))}
    </ActionForm>
  );
}
