import { ActionForm, Button } from './controls.js';
import { Icon, type IconName } from './icon.js';

/** Draws a button that first says what it does for good, and asks once more; no script is needed. */
export function Confirm(props: {
  action: string;
  /** What opens the question. */
  label: string;
  question: string;
  /** What does it. */
  go: string;
  icon?: IconName;
}) {
  return (
    <details class="confirm">
      <summary class="button danger">
        {props.icon && <Icon name={props.icon} />}
        <span>{props.label}</span>
      </summary>
      <div class="sheet">
        <p>{props.question}</p>
        <ActionForm action={props.action}>
          <Button kind="danger">{props.go}</Button>
        </ActionForm>
      </div>
    </details>
  );
}
