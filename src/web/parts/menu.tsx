import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

/** Draws a button that opens a menu, without script too; one menu is open at a time. */
export function Menu(props: {
  class: string;
  icon: IconName;
  /** Text of the button; left out where the icon stands alone. */
  text?: string;
  /** Name of the button where its text says less. */
  label?: string;
  /** Whether the button has a border of its own. */
  isPlain?: boolean;
  children: ComponentChildren;
}) {
  const { icon, text, label, isPlain = false, children } = props;
  return (
    <details class={`${props.class} pop`} name="menu">
      <summary class={isPlain ? 'button plain' : undefined} aria-label={label}>
        <Icon name={icon} />
        {text !== undefined && (
          <>
            {' '}
            <span>{text}</span>
          </>
        )}
      </summary>
      <div class="menu">{children}</div>
    </details>
  );
}
