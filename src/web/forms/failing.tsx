import { ActionForm, Button } from '../parts/controls.js';
import { Time } from '../parts/time.js';
import { formWords } from './words.js';

/** An address that takes no emails. */
export interface FailingShown {
  email: string;
  kind: 'permanent' | 'complaint';
  /** The words of the receiver. */
  reason: string;
  since: Date;
}

/** Draws the recipients that get no more emails, with a button that has one tried again; nothing without any. */
export function FailingRecipients(props: { identifier: string; rows: readonly FailingShown[] }) {
  const { identifier, rows } = props;
  const { failing } = formWords;
  if (rows.length === 0) return null;
  return (
    <section class="apart" id="s-failing">
      <h2>{failing.title}</h2>
      <p class="hint">{failing.hint}</p>
      <div class="panel">
        <table>
          <caption>{failing.title}</caption>
          <tbody>
            {rows.map(({ email, kind, reason, since }) => (
              <tr>
                <th scope="row">{email}</th>
                <td class="wide">
                  {failing.kinds[kind]} <Time at={since} />: <span dir="auto">{reason}</span>
                  <ActionForm action={`/forms/${identifier}/recipients/failing`}>
                    <input type="hidden" name="email" value={email} />
                    <Button kind="plain" icon="rotate-ccw">
                      {failing.tryAgain}
                    </Button>
                  </ActionForm>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
