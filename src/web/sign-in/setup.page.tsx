import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { withoutPasskey } from '../parts/passkey-button.js';
import { FirstPasskey } from './first-passkey.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

/** Draws the form of the first owner. The code comes from behind the `#` of the link, or is pasted. */
export function SetupPage(props: {
  frame: Frame;
  hasPasskeys: boolean;
  typed?: { code: string; email: string; name: string };
  problems?: FieldProblem[];
}) {
  const { frame, typed, problems } = props;
  return (
    <Shell title={words.setup.title} frame={frame}>
      <PageHead title={words.setup.title} />
      <p>{words.setup.hint}</p>
      <ActionForm action="/setup" problems={withoutPasskey(problems)}>
        <div data-fragment>
          <Field
            name="code"
            label={words.setup.code}
            hint={words.setup.codeHint}
            autocomplete="off"
            value={typed?.code}
            problems={problems}
            required
          />
        </div>
        <Field
          name="email"
          label={words.signIn.email}
          type="email"
          autocomplete="username"
          value={typed?.email}
          problems={problems}
          required
        />
        <Field
          name="name"
          label={words.setup.name}
          autocomplete="name"
          value={typed?.name}
          problems={problems}
          required
        />
        {props.hasPasskeys && <FirstPasskey problems={problems} />}
        <Field
          name="password"
          label={words.setup.newPassword}
          hint={words.setup.passwordHint}
          type="password"
          autocomplete="new-password"
          problems={problems}
          required
        />
        <Actions>
          <Button>{words.setup.go}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
