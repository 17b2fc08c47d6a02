import { Menu } from '../parts/menu.js';
import { layoutWords } from './words.js';
import { nameOfTrouble } from './display.js';
import type { TroubleSummary } from './troubles.js';

/** Draws one sentence about forms with warnings in the bar of every page: what to do about it, and how to put it away. */
export function TroublePill(props: TroubleSummary & { here: string; isSelf: boolean }) {
  const { forms, codes, here, isSelf } = props;
  const known: Record<string, string | undefined> = layoutWords.troubleOfAll;
  const causes = [
    ...codes.map((code) => known[code] ?? code),
    ...(forms > 0 ? [layoutWords.trouble(forms)] : []),
  ];
  if (causes.length === 0) return null;
  const sentence = causes.join(' · ');
  return (
    <Menu class="trouble" icon="triangle-alert" text={sentence}>
      <p>{sentence}</p>
      <a href="/status">{layoutWords.troubleGo}</a>
      {isSelf && (
        <form method="post" action="/account/display">
          <input type="hidden" name="to" value={here} />
          <button type="submit" name="quiet" value={nameOfTrouble(props)}>
            {layoutWords.troubleLater}
          </button>
        </form>
      )}
    </Menu>
  );
}
