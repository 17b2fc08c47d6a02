import { ActionForm, Button } from './controls.js';
import { Icon, type IconName } from './icon.js';

/** Draws a button for what cannot be undone, which asks first. It needs no script. */
export function Confirm(props: {
  action: string;
  /** Text of the button that opens the question. */
  label: string;
  question: string;
  /** Text of the button that sends the form. */
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
