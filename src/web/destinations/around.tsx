import type { ComponentChildren } from 'preact';
import { FormShell } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import { Shell } from '../layout/shell.js';
import { PageHead } from '../parts/content.js';
import { destinationWords } from './words.js';
import { formHeadWords } from '../form-head/words.js';

/** Whose destinations a page is about, as it shows it. */
export interface HomeShown {
  /** Null for destinations of all forms. */
  form: FormShown | null;
  /** The client whose forms are meant; null for a form, and for all of the account. */
  client: { id: number; name: string } | null;
  /** Address of the list. */
  listAt: string;
  /** Address that draws a new one. */
  newAt: string;
}

/** Draws what is around every page of destinations: the head of their form, or of all forms. */
export function Around(props: {
  home: HomeShown;
  /** Title of one destination; null on the list. */
  title: string | null;
  children: ComponentChildren;
}) {
  const { home, title, children } = props;
  const { form, client, listAt } = home;
  if (form) {
    return (
      <FormShell
        form={form}
        title={title ?? destinationWords.title}
        tab="notifications"
        part="destinations"
      >
        {title !== null && (
          <h2>
            <bdi>{title}</bdi>
          </h2>
        )}
        {children}
      </FormShell>
    );
  }
  const list = client ? destinationWords.ofClient(client.name) : destinationWords.ofAccount;
  const above = client
    ? { href: `/clients/${client.id}`, label: client.name }
    : { href: '/forms', label: formHeadWords.list };
  return (
    <Shell title={title ?? list} section={client ? 'clients' : 'forms'}>
      <PageHead title={title ?? list} up={title === null ? above : { href: listAt, label: list }} />
      {children}
    </Shell>
  );
}
