import { Button } from '../layout/controls.js';
import { Icon } from '../layout/icon.js';
import { words } from '../words.js';

/** The mails that a form sends, by who gets them. */
type Mail = 'owner' | 'visitor';

/**
 * Draws a fold in the form of the settings: a frame that shows a mail, and buttons that show there what is typed
 * at the moment, and send a test. Nothing that was typed is lost by them.
 */
export function MailPreview({ identifier, mail }: { identifier: string; mail: Mail }) {
  const { preview } = words;
  const address = `/forms/${identifier}/mails`;
  const frame = `preview-${mail}`;
  return (
    <details class="folded preview" data-live>
      <summary>
        <Icon name="chevron-right" /> {preview[mail]}
      </summary>
      <p class="hint">
        {preview.asTyped} {preview.testHint}
      </p>
      <div class="actions">
        <Button kind="plain" icon="eye" action={address} frame={frame} name="mail" value={mail}>
          {preview.show}
        </Button>
        <Button
          kind="plain"
          icon="send"
          action={`${address}/tests`}
          frame={frame}
          name="mail"
          value={mail}
        >
          {preview.test}
        </Button>
      </div>
      <div class="frames">
        <iframe
          name={frame}
          title={preview.frames[mail]}
          src={`${address}?mail=${mail}`}
          loading="lazy"
        />
      </div>
    </details>
  );
}
