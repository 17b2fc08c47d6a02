import type { ProofWay } from '../../accounts/access/index.js';
import type { FieldProblem } from '../../platform/index.js';
import {
  Notice,
  signInWords,
  ActionForm,
  Actions,
  Button,
  Field,
  Carried,
  type Typed,
  PasskeyButton,
  PasskeyFailed,
  withoutPasskey,
} from '../parts/index.js';
import { Page } from './shell.js';

/** Names of the page's own fields; all others belong to the interrupted form. */
export const PROOF = {
  to: 'proof_to',
  method: 'proof_method',
  password: 'proof_password',
  code: 'proof_code',
  credential: 'proof_credential',
};

const OWN = new Set(Object.values(PROOF));

/** A request that waits for a proof. */
export interface Interrupted {
  /** Path of the request. */
  to: string;
  /** `POST` when a form was sent. */
  method: string;
  typed: Typed | undefined;
}

/** Asks who it is, by whatever the person can show, and repeats the interrupted form in hidden fields. */
export function ConfirmPage(props: { interrupted: Interrupted; ways: readonly ProofWay[]; problems?: FieldProblem[] }) {
  const { interrupted, ways, problems } = props;
  const { to, method, typed } = interrupted;
  const [hasPassword, hasCode] = [ways.includes('password'), ways.includes('code')];
  return (
    <Page title="Confirm it’s you">
      <p>For your security, sign in again to continue. We keep what you typed.</p>
      {ways.length === 0 && (
        <Notice kind="warn">
          The way you signed in cannot be repeated here. Sign out, sign in again, and try this within ten minutes.
        </Notice>
      )}
      <ActionForm action="/confirm" problems={withoutPasskey(problems)}>
        <input type="hidden" name={PROOF.to} value={to} />
        <input type="hidden" name={PROOF.method} value={method} />
        <Carried typed={typed} but={OWN} />
        {ways.includes('passkey') && (
          <Actions>
            <PasskeyButton act="use" options="/api/v1/me/passkeys/proof-options" name={PROOF.credential} kind="primary">
              Use a passkey
            </PasskeyButton>
            <PasskeyFailed problems={problems} />
          </Actions>
        )}
        {hasPassword && (
          <Field name={PROOF.password} label={signInWords.password} type="password" autocomplete="current-password" />
        )}
        {hasCode && (
          <Field
            name={PROOF.code}
            label={hasPassword ? 'Or a code from your authenticator app' : 'Code from your authenticator app'}
            autocomplete="one-time-code"
          />
        )}
        {(hasPassword || hasCode) && (
          <Actions>
            <Button>Continue</Button>
          </Actions>
        )}
      </ActionForm>
    </Page>
  );
}
