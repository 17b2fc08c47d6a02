import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../layout/content.js';
import { ActionForm, Actions, Button, Field } from '../layout/controls.js';
import { Shell, SIGNED_OUT } from '../layout/shell.js';
import type { Typed } from '../layout/typed.js';
import { words } from '../words.js';

/** Names of the fields that are the page's own. */
export const PROOF = { to: 'proof_to', method: 'proof_method', password: 'proof_password' };
const OWN = new Set(Object.values(PROOF));

/** What was asked for and has to wait. */
export interface Interrupted {
  /** A path of this service. */
  to: string;
  /** `POST` when a form was sent. */
  method: string;
  typed: Typed | undefined;
}

/** Asks for the password, and carries along the form that was on its way. */
export function ConfirmPage(props: { interrupted: Interrupted; problems?: FieldProblem[] }) {
  const { interrupted, problems } = props;
  const { to, method, typed = {} } = interrupted;
  return (
    <Shell title={words.confirm.title} frame={SIGNED_OUT}>
      <PageHead title={words.confirm.title} />
      <p>{words.confirm.why}</p>
      <ActionForm action="/confirm" {...(problems && { problems })}>
        <input type="hidden" name={PROOF.to} value={to} />
        <input type="hidden" name={PROOF.method} value={method} />
        {Object.entries(typed)
          .filter(([name]) => !OWN.has(name))
          .flatMap(([name, values]) =>
            [values]
              .flat()
              .map((value) => <input type="hidden" name={name} value={String(value)} />),
          )}
        <Field
          name={PROOF.password}
          label={words.signIn.password}
          type="password"
          autocomplete="current-password"
          problems={problems}
          required
        />
        <Actions>
          <Button>{words.confirm.go}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
