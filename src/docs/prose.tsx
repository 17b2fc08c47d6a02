import type { ComponentChild } from 'preact';

/** Draws paragraphs, which an empty line sets apart; lines that begin with "- " are a list. */
export function Paragraphs({ text }: { text: string }) {
  const blocks = text.split('\n\n').filter((block) => block !== '');
  return (
    <>
      {blocks.map((block) =>
        block.startsWith('- ') ? (
          <ul>
            {block.split('\n').map((line) => (
              <li>
                <Prose text={line.slice(2)} />
              </li>
            ))}
          </ul>
        ) : (
          <p>
            <Prose text={block} />
          </p>
        ),
      )}
    </>
  );
}

/** Draws text with `code` in backticks. */
export function Prose({ text }: { text: string }) {
  const pieces = text.split('`');
  return <>{pieces.map((piece, index) => (index % 2 === 1 ? <code>{piece}</code> : piece))}</>;
}

/** Puts a word between elements. */
export function joined(all: ComponentChild[], between: string): ComponentChild[] {
  return all.flatMap((one, index) => (index > 0 ? [between, one] : [one]));
}
