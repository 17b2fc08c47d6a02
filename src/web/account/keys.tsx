import { Button } from '../parts/controls.js';
import { keyWords } from '../rows/words.js';

/** Draws the switch of the keys. */
export function KeysSwitch({ isOff }: { isOff: boolean }) {
  return (
    <section id="keys">
      <h2>{keyWords.title}</h2>
      <p>{isOff ? keyWords.areOff : keyWords.areOn}</p>
      <form method="post" action="/account/keys">
        <Button kind="plain" name="keys" value={String(isOff)}>
          {isOff ? keyWords.switchOn : keyWords.switchOff}
        </Button>
      </form>
    </section>
  );
}
