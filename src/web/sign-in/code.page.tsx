import type { FieldProblem } from '../../platform/kernel/errors.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { Shell } from '../layout/shell.js';
import { signInWords } from '../parts/words.js';
import { codeWords } from './words.js';

/** Asks for a code of the authenticator app, or a recovery code, once the password was right. */
export function CodePage(props: { next: string; problems?: FieldProblem[] }) {
  const { next, problems } = props;
  return (
    <Shell title={codeWords.title}>
      <PageHead title={codeWords.title} />
      <ActionForm action="/sign-in/code" {...(problems && { problems })}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="code"
          label={codeWords.code}
          hint={codeWords.hint}
          autocomplete="one-time-code"
          problems={problems}
          autofocus
          required
        />
        <Actions>
          <Button>{signInWords.go}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
