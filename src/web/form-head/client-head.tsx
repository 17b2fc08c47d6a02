import type { ComponentChildren } from 'preact';
import { Shell } from '../layout/shell.js';
import { PageHead } from '../parts/content.js';

/** Words above every page of a client. */
export const clientHeadWords = { list: 'Clients' } as const;

const TABS = {
  overview: { path: '', name: 'Overview' },
  forms: { path: '/forms', name: 'Forms' },
  people: { path: '/people', name: 'People' },
  look: { path: '/brand', name: 'Look' },
  report: { path: '/report', name: 'Report' },
} as const;

/** Draws a page of a client below its name and tabs. */
export function ClientShell(props: {
  client: { id: number; name: string };
  title?: string;
  tab: keyof typeof TABS;
  children: ComponentChildren;
}) {
  const { client, title, tab, children } = props;
  return (
    <Shell title={`${title ?? TABS[tab].name} · ${client.name}`} section="clients">
      <div class="form-head">
        <PageHead title={client.name} up={{ href: '/clients', label: clientHeadWords.list }} />
        <nav class="tabs" aria-label="Pages of this client">
          {Object.entries(TABS).map(([key, { path, name }]) => (
            <a
              href={`/clients/${client.id}${path}`}
              aria-current={key === tab ? 'page' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
      </div>
      {children}
    </Shell>
  );
}
