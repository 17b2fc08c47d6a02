import { Button } from '../parts/controls.js';
import { words } from '../words.js';

/** Draws the switch of the keys. */
export function KeysSwitch({ isOff }: { isOff: boolean }) {
  const { keys } = words;
  return (
    <section id="keys">
      <h2>{keys.title}</h2>
      <p>{isOff ? keys.areOff : keys.areOn}</p>
      <form method="post" action="/account/keys">
        <Button kind="plain" name="keys" value={String(isOff)}>
          {isOff ? keys.switchOn : keys.switchOff}
        </Button>
      </form>
    </section>
  );
}
