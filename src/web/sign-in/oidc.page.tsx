import { PageHead } from '../parts/content.js';
import { Actions, LinkButton } from '../parts/controls.js';
import { Shell } from '../layout/shell.js';
import { oidcWords } from './words.js';

/** Leads on to the provider, for browsers that do not go there by themselves. */
export function DeparturePage({ address, name }: { address: string; name: string }) {
  return (
    <Shell title={oidcWords.title}>
      <PageHead title={oidcWords.title} />
      <p>{oidcWords.leave(name)}</p>
      <Actions>
        <LinkButton href={address} kind="primary">
          {oidcWords.go}
        </LinkButton>
      </Actions>
    </Shell>
  );
}
