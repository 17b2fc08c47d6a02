import { Notice } from '../parts/content.js';
import { Framed } from './framed.js';
import { words } from '../words.js';

/** Says where visitors go on to in place of our page. */
export function RedirectFramePage({ url }: { url: string }) {
  const { preview } = words;
  return (
    <Framed title={preview.frames.thanks}>
      <Notice kind="good">
        <p>{preview.redirect}</p>
        <p>
          <code>{url}</code>
        </p>
      </Notice>
    </Framed>
  );
}
