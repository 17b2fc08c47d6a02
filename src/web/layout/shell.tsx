import type { ComponentChildren } from 'preact';
import { words } from '../words.js';
import { assetUrl } from './assets.js';
import type { Flash } from './flash.js';
import { Icon, type IconName } from './icon.js';
import { TimeZone } from './time.js';
import type { TroubleSummary } from './troubles.js';

/** What the frame of a page says, beside the page: who looks, and what just happened. */
export interface Frame {
  /** Null before sign-in: then there is no navigation. */
  person: { name: string; account: string } | null;
  /** The parts of the service that this person may open. */
  sections: SectionName[];
  /** IANA name. */
  timeZone: string;
  /** Null when this person is not told. */
  troubles: TroubleSummary | null;
  flash: Flash | null;
}

/** The frame of a page that is shown before sign-in. */
export const SIGNED_OUT: Frame = {
  person: null,
  sections: [],
  timeZone: 'UTC',
  troubles: null,
  flash: null,
};

/** Name of a part of the service, which is its address too. */
export type SectionName = 'inbox' | 'forms' | 'clients' | 'tokens' | 'status';

const SECTIONS: { name: SectionName; icon: IconName }[] = [
  { name: 'inbox', icon: 'inbox' },
  { name: 'forms', icon: 'clipboard-list' },
  { name: 'clients', icon: 'users' },
  { name: 'tokens', icon: 'key-round' },
  { name: 'status', icon: 'activity' },
];

/**
 * Draws a whole page. Every page is one:
 *
 *     sendPage(response, <Shell title={words.…} frame={frame} section="forms">…</Shell>);
 *
 * Without a person (`frame={SIGNED_OUT}`) the page is a narrow column in the middle, as sign-in wants.
 * The page brings its own `<h1>`, by `<PageHead>`.
 */
export function Shell(props: {
  title: string;
  frame: Frame;
  section?: SectionName | 'account';
  children: ComponentChildren;
}) {
  const { title, frame, section, children } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${words.product}`}</title>
        <link rel="stylesheet" href={assetUrl('web.css')} />
        <link rel="icon" href={assetUrl('mark.svg')} type="image/svg+xml" />
        <script src={assetUrl('htmx.js')} defer />
        <script src={assetUrl('app.js')} type="module" />
      </head>
      <body class={frame.person ? 'signed-in' : 'signed-out'}>
        <a class="skip" href="#content">
          {words.nav.skip}
        </a>
        <Brand />
        {frame.person && <Navigation section={section} open={frame.sections} />}
        {frame.person && <Person {...frame.person} />}
        <main id="content" tabindex={-1}>
          {frame.troubles && section !== 'status' && <TroubleBar {...frame.troubles} />}
          {frame.flash && (
            <p class="notice good" role="status">
              <Icon name="circle-check" /> {words.flash[frame.flash]}
            </p>
          )}
          <TimeZone.Provider value={frame.timeZone}>{children}</TimeZone.Provider>
        </main>
      </body>
    </html>
  );
}

function Brand() {
  return (
    <header class="brand">
      <a href="/">
        <img src={assetUrl('mark.svg')} width="20" height="20" alt="" />
        <span>{words.product}</span>
      </a>
    </header>
  );
}

/** Says in one sentence that forms need attention, before anything else, with the way there. */
function TroubleBar({ forms, code }: TroubleSummary) {
  if (forms === 0) return null;
  const known: Record<string, string | undefined> = words.troubleOfAll;
  return (
    <div class="trouble" role="status">
      <Icon name="triangle-alert" />
      <p>{known[code ?? ''] ?? words.trouble(forms)}</p>
      <a href="/status" class="button plain">
        {words.troubleGo}
      </a>
    </div>
  );
}

function Navigation(props: { section: string | undefined; open: SectionName[] }) {
  return (
    <nav class="rail" aria-label={words.nav.label}>
      <ul>
        {SECTIONS.filter(({ name }) => props.open.includes(name)).map(({ name, icon }) => (
          <li>
            <a href={`/${name}`} aria-current={name === props.section ? 'page' : undefined}>
              <Icon name={icon} /> <span>{words.nav[name]}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Signing out changes something, so it is a form. */
function Person({ name, account }: { name: string; account: string }) {
  return (
    <details class="person">
      <summary aria-label={`${words.nav.person}: ${name}`}>
        <Icon name="user" /> <span>{name}</span>
      </summary>
      <div class="menu">
        <p class="hint">{account}</p>
        <a href="/account">{words.nav.account}</a>
        <form method="post" action="/sign-out">
          <button type="submit">
            <Icon name="log-out" /> {words.nav.signOut}
          </button>
        </form>
      </div>
    </details>
  );
}
