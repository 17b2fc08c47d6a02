import type { Typed } from './typed.js';

/** Carries what was typed into a form through a page that comes between. */
export function Carried(props: {
  typed: Typed | undefined;
  /** Names of the fields that the page has itself. */
  but?: ReadonlySet<string>;
}) {
  const { typed = {}, but } = props;
  return (
    <>
      {Object.entries(typed)
        .filter(([name]) => !but?.has(name))
        .flatMap(([name, values]) =>
          [values].flat().map((value) => <input type="hidden" name={name} value={String(value)} />),
        )}
    </>
  );
}
