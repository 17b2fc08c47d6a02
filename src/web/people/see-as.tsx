import { Button } from '../parts/controls.js';
import { viewAsWords } from './words.js';

/** Draws the button by which an owner sees the pages as a person does. */
export function SeeAs({ here, name }: { here: string; name: string }) {
  return (
    <section>
      <h2>{viewAsWords.title}</h2>
      <p class="hint">{viewAsWords.seeHint}</p>
      <form method="post" action={`${here}/view`}>
        <Button kind="plain" icon="eye">
          {viewAsWords.see(name)}
        </Button>
      </form>
    </section>
  );
}
