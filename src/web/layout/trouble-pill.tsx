import { Menu } from '../parts/menu.js';
import { words } from '../words.js';
import { nameOfTrouble } from './display.js';
import type { TroubleSummary } from './troubles.js';

/** Draws one sentence about forms with warnings in the bar of every page: what to do about it, and how to put it away. */
export function TroublePill(props: TroubleSummary & { here: string; isSelf: boolean }) {
  const { forms, code, here, isSelf } = props;
  if (forms === 0) return null;
  const known: Record<string, string | undefined> = words.troubleOfAll;
  const sentence = known[code ?? ''] ?? words.trouble(forms);
  return (
    <Menu class="trouble" icon="triangle-alert" text={sentence}>
      <p>{sentence}</p>
      <a href="/status">{words.troubleGo}</a>
      {isSelf && (
        <form method="post" action="/account/display">
          <input type="hidden" name="to" value={here} />
          <button type="submit" name="quiet" value={nameOfTrouble(props)}>
            {words.troubleLater}
          </button>
        </form>
      )}
    </Menu>
  );
}
