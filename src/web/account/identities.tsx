import type { Identity } from '../../people/credentials/identity.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { Button } from '../parts/controls.js';
import { Time } from '../parts/time.js';
import { identityWords } from './words.js';

/** Identities of a person on the account page. */
export interface IdentitiesSummary {
  identities: Identity[];
  /** Name of the provider; null without one. */
  providerName: string | null;
}

/** Shows what a person is known by at the provider; nothing where there is neither. */
export function Identities({ identities, providerName }: IdentitiesSummary) {
  if (providerName === null && identities.length === 0) return null;
  return (
    <section>
      <h2>{identityWords.title}</h2>
      {identities.length === 0 && <p>{identityWords.none}</p>}
      {identities.map(({ id, issuer, email, createdAt }) => (
        <form method="post" action="/account/identities/remove">
          <p>
            <strong>{email ?? identityWords.noAddress}</strong>
            <br />
            <span class="hint">
              {issuer} · {identityWords.since} <Time at={createdAt} />
            </span>
          </p>
          <Button kind="plain" name="identity" value={formatUuid(id)}>
            {identityWords.unlink}
          </Button>
        </form>
      ))}
      {providerName !== null && (
        <form method="post" action="/sign-in/oidc/link">
          <Button kind="plain">{identityWords.link(providerName)}</Button>
        </form>
      )}
    </section>
  );
}
