import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Icon } from './content.js';

export interface PasskeyButtonProps {
  /** `use` signs with one; `further` and `first` make one, the latter of somebody who is not known yet. */
  act: 'use' | 'further' | 'first';
  /** Where the script asks for what the browser needs. */
  options: string;
  /** Where the form goes with the answer, if not where it goes anyway. */
  action?: string;
  /** Name of the field of the answer. */
  name?: string;
  /** Whether passkeys are also offered where the address is typed. */
  auto?: boolean;
  kind?: 'primary' | 'plain';
  children: string;
}

/**
 * Draws a button that sends its form with what a passkey answers, as JSON in `credential`. It is hidden
 * until the script finds that the browser keeps passkeys.
 */
export function PasskeyButton(props: PasskeyButtonProps) {
  const { act, options, action, name, auto = false, kind = 'plain', children } = props;
  return (
    <button
      type="button"
      class={`button ${kind}`}
      hidden
      data-passkey={act}
      data-options={options}
      data-action={action}
      data-name={name}
      data-auto={auto ? '' : undefined}
    >
      <Icon name="key-round" />
      <span>{children}</span>
    </button>
  );
}

/**
 * Says that the browser gave no passkey, or that the one it gave was refused; stands in the form of its
 * button.
 */
export function PasskeyFailed({ problems }: { problems?: FieldProblem[] | undefined }) {
  const problem = problems?.find(isOfPasskey);
  return (
    <>
      {problem && (
        <p class="problem" role="alert">
          <Icon name="circle-x" /> {problem.message}
        </p>
      )}
      <p class="hint" role="status" data-passkey-failed hidden>
        That did not work. This device may have no passkey for this site, or already have one. Try
        again, or choose another way.
      </p>
    </>
  );
}

/** Returns the problems of the fields that people see; `PasskeyFailed` tells the others. */
export function withoutPasskey(problems: FieldProblem[] = []): FieldProblem[] {
  return problems.filter((problem) => !isOfPasskey(problem));
}

function isOfPasskey({ field }: FieldProblem): boolean {
  return field === 'credential';
}
