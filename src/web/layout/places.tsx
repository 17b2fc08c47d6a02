import { layoutWords } from './words.js';

/** An account or client where the person may act. */
export interface FramedPlace {
  id: number;
  name: string;
  isHere: boolean;
}

/** Draws the other places of the person. Switching changes the session, so each is a form. */
export function Places({ places }: { places: FramedPlace[] }) {
  return (
    <form method="post" action="/account/switch" class="places" aria-label={layoutWords.places}>
      {places.map(({ id, name, isHere }) => (
        <button
          type="submit"
          name="membership"
          value={id}
          aria-current={isHere ? 'true' : undefined}
        >
          {name}
        </button>
      ))}
    </form>
  );
}
