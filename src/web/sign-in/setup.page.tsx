import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { withoutPasskey } from '../parts/passkey-button.js';
import { FirstPasskey } from './first-passkey.js';
import { Shell } from '../layout/shell.js';
import { signInWords } from '../parts/words.js';
import { setupWords } from './words.js';

/** Draws the form of the first owner. The code comes from behind the `#` of the link, or is pasted. */
export function SetupPage(props: {
  hasPasskeys: boolean;
  typed?: { code: string; email: string; name: string };
  problems?: FieldProblem[];
}) {
  const { typed, problems } = props;
  return (
    <Shell title={setupWords.title}>
      <PageHead title={setupWords.title} />
      <p>{setupWords.hint}</p>
      <ActionForm action="/setup" problems={withoutPasskey(problems)}>
        <div data-fragment>
          <Field
            name="code"
            label={setupWords.code}
            hint={setupWords.codeHint}
            autocomplete="off"
            value={typed?.code}
            problems={problems}
            required
          />
        </div>
        <Field
          name="email"
          label={signInWords.email}
          type="email"
          autocomplete="username"
          value={typed?.email}
          problems={problems}
          required
        />
        <Field
          name="name"
          label={setupWords.name}
          autocomplete="name"
          value={typed?.name}
          problems={problems}
          required
        />
        {props.hasPasskeys && <FirstPasskey problems={problems} />}
        <Field
          name="password"
          label={setupWords.newPassword}
          hint={setupWords.passwordHint}
          type="password"
          autocomplete="new-password"
          problems={problems}
          required
        />
        <Actions>
          <Button>{setupWords.go}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
