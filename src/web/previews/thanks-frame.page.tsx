import { Notice } from '../parts/content.js';
import { Framed } from './framed.js';
import { previewWords } from './words.js';

/** Says where visitors go on to in place of our page. */
export function RedirectFramePage({ url }: { url: string }) {
  return (
    <Framed title={previewWords.frames.thanks}>
      <Notice kind="good">
        <p>{previewWords.redirect}</p>
        <p>
          <code>{url}</code>
        </p>
      </Notice>
    </Framed>
  );
}
