import { Copyable, Time } from '../parts/content.js';
import { Confirm } from '../parts/typed.js';
import { Around, type HomeShown } from './destinations.page.js';

/** Words about the signing secret of a webhook. */
const words = { secretRenew: 'Create a new secret' } as const;

/** Draws the secret that signs the calls of a webhook, with the button that makes a new one. */
export function DestinationSecretPage(props: {
  home: HomeShown;
  here: string;
  name: string;
  /** Null where it is not shown again. */
  secret: string | null;
  signature: string;
  previousUntil: Date | null;
}) {
  const { home, here, name, secret, signature, previousUntil } = props;
  const isStandard = signature === 'standard';
  const hint = isStandard
    ? 'For one day, calls are signed with both the new secret and this one. Update your receiver within that day.'
    : 'Calls are signed with the new secret only, from now on. Update your receiver immediately.';
  return (
    <Around {...{ home, title: name }}>
      <h2>
        Signing secret: <bdi>{name}</bdi>
      </h2>
      <p>
        {signature === 'none'
          ? 'Calls are not signed. Choose a signature to use this secret.'
          : 'Every call is signed with this secret, so your receiver can verify that it comes from here.'}
      </p>
      {secret !== null && <Copyable id="secret" text={secret} />}
      <p class="hint">
        {isStandard
          ? 'Signatures follow Standard Webhooks, in the headers webhook-id, webhook-timestamp and webhook-signature. Any library for it accepts this text.'
          : 'The key is this text, from the first letter to the last.'}
      </p>
      <Former until={previousUntil} />
      <Confirm
        action={`${here}/secret`}
        label={words.secretRenew}
        question={
          previousUntil === null
            ? hint
            : `${hint} The secret before this one stops working immediately.`
        }
        go={words.secretRenew}
        icon="refresh-cw"
      />
    </Around>
  );
}

/** Says until when the former secret signs too. */
export function Former({ until }: { until: Date | null }) {
  return (
    until && (
      <p class="hint">
        Old secret valid until <Time at={until} />.
      </p>
    )
  );
}
