import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../layout/content.js';
import { ActionForm, Actions, Button, Check, Field } from '../layout/controls.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';

/** Asks for address and password. */
export function SignInPage(props: {
  frame: Frame;
  /** Where to go on, a path of this service. */
  next: string;
  email?: string;
  problems?: FieldProblem[];
}) {
  const { frame, next, email = '', problems } = props;
  return (
    <Shell title={words.signIn.title} frame={frame}>
      <PageHead title={words.signIn.title} />
      <ActionForm action="/sign-in" {...(problems && { problems })}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="email"
          label={words.signIn.email}
          type="email"
          autocomplete="username"
          value={email}
          problems={problems}
          required
        />
        <Field
          name="password"
          label={words.signIn.password}
          type="password"
          autocomplete="current-password"
          problems={problems}
          required
        />
        <Check name="shared" label={words.signIn.shared} hint={words.signIn.sharedHint} />
        <Actions>
          <Button>{words.signIn.go}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
