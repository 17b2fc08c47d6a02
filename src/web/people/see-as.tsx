import { Button } from '../parts/controls.js';
import { words } from '../words.js';

const { view } = words;

/** Draws the button by which an owner sees the pages as a person does. */
export function SeeAs({ here, name }: { here: string; name: string }) {
  return (
    <section>
      <h2>{view.title}</h2>
      <p class="hint">{view.seeHint}</p>
      <form method="post" action={`${here}/view`}>
        <Button kind="plain" icon="eye">
          {view.see(name)}
        </Button>
      </form>
    </section>
  );
}
