import type { ComponentChildren } from 'preact';
import { Button } from '../parts/controls.js';
import { Icon } from '../parts/icon.js';
import { previewWords } from './words.js';

/** The mails that a form sends, by who gets them. */
type Mail = 'owner' | 'visitor';

type Previewed = Mail | 'thanks' | 'destination';

const PROOF = '/account/email/framed-proof';

/**
 * Draws a frame that shows a mail, with buttons that show there what is typed at the moment, and send a test.
 * @param props with `isProven`, it is known that the person's address is theirs, which a test needs
 */
export function MailPreview(props: { identifier: string; mail: Mail; isProven: boolean }) {
  const { identifier, mail, isProven } = props;
  const address = `/forms/${identifier}/mails`;
  return (
    <Preview
      of={mail}
      address={`${address}?mail=${mail}`}
      hint={isProven ? previewWords.testHint : previewWords.testUnproven}
    >
      <Button
        {...{ kind: 'plain', icon: 'eye', action: address }}
        {...{ frame: frameOf(mail), name: 'mail', value: mail }}
      >
        {previewWords.show}
      </Button>
      <Button
        {...{ kind: 'plain', icon: 'send', action: isProven ? `${address}/tests` : PROOF }}
        {...{ frame: frameOf(mail), name: 'mail', value: mail }}
      >
        {isProven ? previewWords.test : previewWords.prove}
      </Button>
    </Preview>
  );
}

/** Draws a frame that shows the page after sending, with a button that shows there what is typed. */
export function ThanksPreview({ identifier }: { identifier: string }) {
  const address = `/forms/${identifier}/thanks`;
  return (
    <Preview of="thanks" address={address}>
      <Button kind="plain" icon="eye" action={address} frame={frameOf('thanks')}>
        {previewWords.show}
      </Button>
    </Preview>
  );
}

/** Draws a frame that shows the mail of a destination as it is typed, once somebody asks for it. */
export function DestinationPreview({ identifier }: { identifier: string }) {
  return (
    <Preview of="destination">
      <Button
        {...{ kind: 'plain', icon: 'eye', action: `/forms/${identifier}/destination-preview` }}
        frame={frameOf('destination')}
      >
        {previewWords.titles.destination}
      </Button>
    </Preview>
  );
}

/** Draws a fold in the form of the settings. Its buttons fill the frame, so that nothing typed is lost. */
function Preview(props: {
  of: Previewed;
  /** First address of the frame; absent for one that is empty first. */
  address?: string;
  hint?: string;
  /** Buttons; the first shows what is typed. */
  children: ComponentChildren;
}) {
  return (
    <details class="folded preview" data-live>
      <summary>
        <Icon name="chevron-right" /> {previewWords.titles[props.of]}
      </summary>
      <p class="hint">
        {previewWords.asTyped} {props.hint}
      </p>
      <div class="actions">{props.children}</div>
      <div class="frames">
        <iframe
          name={frameOf(props.of)}
          title={previewWords.frames[props.of]}
          src={props.address}
          loading="lazy"
        />
      </div>
    </details>
  );
}

function frameOf(of: Previewed): string {
  return `preview-${of}`;
}
