import { Carried } from '../parts/carried.js';
import { PageHead } from '../parts/content.js';
import { ActionForm, Actions, Button } from '../parts/controls.js';
import { Shell } from './shell.js';
import type { Typed } from '../parts/typed.js';
import { sessionOverWords } from './words.js';

/** Keeps a form that came without a session, to be sent again after signing in in another tab. */
export function SessionOverPage({ to, typed }: { to: string; typed: Typed }) {
  return (
    <Shell title={sessionOverWords.title}>
      <PageHead title={sessionOverWords.title} />
      <p>{sessionOverWords.kept}</p>
      <p>
        <a class="button primary" href="/sign-in" target="_blank" rel="noopener">
          {sessionOverWords.signIn}
        </a>
      </p>
      <ActionForm action={to}>
        <Carried typed={typed} />
        <Actions>
          <Button kind="plain">{sessionOverWords.again}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
