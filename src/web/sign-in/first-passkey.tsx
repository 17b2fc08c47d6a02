import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PasskeyButton, PasskeyFailed } from '../parts/passkey-button.js';
import { firstPasskeyWords } from './words.js';

/** Offers somebody new a passkey before a password, in the form that has their name and address. */
export function FirstPasskey({ problems }: { problems: FieldProblem[] | undefined }) {
  return (
    <div class="first-passkey" data-with-passkeys hidden>
      <p class="hint">{firstPasskeyWords.what}</p>
      <div class="actions">
        <PasskeyButton act="first" options="/setup/passkey" kind="primary">
          {firstPasskeyWords.makeFirst}
        </PasskeyButton>
      </div>
      <PasskeyFailed problems={problems} />
      <p>{firstPasskeyWords.orPassword}</p>
    </div>
  );
}
