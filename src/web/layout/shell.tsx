import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { isSetting, SECTIONS, settingsAmong, type SectionName, flashWords, layoutWords, causeWords } from './words.js';
import { assetUrl } from '../assets/assets.js';
import {
  OFFER_FIELD,
  type Flash,
  type Offer,
  type Said,
  DEFAULT_DISPLAY,
  type Display,
  nameOfTrouble,
  DISPLAY_NAMES,
  displayChoices,
} from './cookies.js';
import { Fold, Icon, TimeZone, Menu, Copyable, PageHead } from '../parts/index.js';
import type { Cause } from '../../health/health.service.js';

/** The content of the frame around a page: the person, the navigation, and messages. */
export interface Frame {
  /** Null before sign-in: then there is no navigation. */
  person: FramedPerson | null;
  /** The parts of the service that this person may open. */
  sections: SectionName[];
  /** Whether the account has clients: without any, the rail leaves them out. */
  hasClients: boolean;
  /** IANA name. */
  timeZone: string;
  /** Null for people who may not see warnings. */
  troubles: readonly Cause[];
  flash: Said | null;
  /** How the account looks that the person is a client of, or wants to sign in to; null for its own people. */
  brand: FramedBrand | null;
  /** The last act that can be taken back; null for none. */
  offer?: Offer | null;
  /** Name of the person as whom an owner sees the page; null for oneself. */
  seenAs: string | null;
  display: Display;
  /** Address of this page; that of the start for what was sent by a form. */
  here: string;
}

/** The looks of an account. */
export interface FramedBrand {
  name: string;
  logoPath: string | null;
  /** Address of the style sheet with its colour. */
  accentUrl: string | null;
}

/** The frame of a page that is shown before sign-in. */
export const SIGNED_OUT: Frame = {
  person: null,
  sections: [],
  hasClients: false,
  timeZone: 'UTC',
  troubles: [],
  flash: null,
  brand: null,
  seenAs: null,
  display: DEFAULT_DISPLAY,
  here: '/',
};

const RAIL = ['inbox', 'forms', 'clients', 'settings'] as const;

/** The frame of the page that is drawn. */
export const FrameContext = createContext(SIGNED_OUT);

/** Returns the frame of the page that is drawn. */
export const useFrame = () => useContext(FrameContext);

/**
 * Draws a whole page; every page is one. Without a person in its frame it is a narrow column in the middle, as sign-in
 * wants. What stands in it brings its own `<h1>`; `<Page>` has it.
 */
export function Shell(props: {
  title: string;
  section?: SectionName | 'account';
  /** Where the first link of the page leads: past all that stands before what one came for. */
  skipTo?: string;
  children: ComponentChildren;
}) {
  const { title, section, skipTo = 'content', children } = props;
  const frame = useFrame();
  return (
    <html lang="en" data-scheme={frame.display.scheme} data-rows={frame.display.rows}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${frame.brand?.name ?? layoutWords.product}`}</title>
        <link rel="stylesheet" href={assetUrl('web.css')} />
        {frame.brand?.accentUrl && <link rel="stylesheet" href={frame.brand.accentUrl} />}
        <link rel="icon" href={assetUrl('mark.svg')} type="image/svg+xml" />
        <script src={assetUrl('app.js')} type="module" />
      </head>
      <body class={frame.person ? 'signed-in' : 'signed-out'}>
        <a class="skip" href={`#${skipTo}`}>
          Skip to content
        </a>
        <Brand brand={frame.brand} />
        {frame.person && <Navigation section={section} />}
        {frame.sections.includes('inbox') && <Go />}
        {frame.troubles.length > 0 && section !== 'status' && <TroublePill causes={frame.troubles} />}
        {frame.person && <PersonMenu {...frame.person} />}
        <main id="content" tabindex={-1}>
          {frame.seenAs !== null && <ViewBar name={frame.seenAs} />}
          <FlashNotice flash={frame.flash} offer={frame.offer ?? null} />
          <TimeZone.Provider value={frame.timeZone}>
            {section && section !== 'account' && isSetting(section) ? (
              <Indexed now={section}>{children}</Indexed>
            ) : (
              children
            )}
          </TimeZone.Provider>
        </main>
      </body>
    </html>
  );
}

/** Draws a whole page under its title. */
export function Page(
  props: Parameters<typeof Shell>[0] &
    Pick<Parameters<typeof PageHead>[0], 'up' | 'state'> & {
      /** The page's own buttons, beside the title. */
      actions?: ComponentChildren;
    },
) {
  const { title, section, up, state, actions, children } = props;
  return (
    <Shell {...{ title, section }}>
      <PageHead {...{ title, up, state }}>{actions}</PageHead>
      {children}
    </Shell>
  );
}

/** Leads to the page that finds others; the script opens it over the present one, by Ctrl-K or Command-K too. */
function Go() {
  return (
    <nav class="go" aria-label={layoutWords.go}>
      <a href="/go" data-go aria-keyshortcuts="Control+K Meta+K">
        <Icon name="search" /> <span>{layoutWords.go}</span> <kbd aria-hidden="true">Ctrl K</kbd>
      </a>
    </nav>
  );
}

/** Says as whom an owner sees the page, and ends it. */
function ViewBar({ name }: { name: string }) {
  return (
    <div class="view-bar" role="status">
      <Icon name="eye" />
      <p>You are viewing as {name}. You cannot change anything.</p>
      <form method="post" action="/view/end">
        <button type="submit" class="button plain">
          Exit
        </button>
      </form>
    </div>
  );
}

/** Messages about failed actions that ask the reader to act. */
const NOT_DONE: ReadonlySet<Flash> = new Set<Flash>(['nothing_selected', 'nothing_chosen', 'several_forms']);

/** Says once what just happened. The last act can be taken back by a key as long as it is offered, on later pages too. */
function FlashNotice({ flash: said, offer }: { flash: Said | null; offer: Offer | null }) {
  const isOfThis = said !== null && said.key === offer?.key;
  const undo = offer && (
    <form method="post" action={offer.action} data-undo hidden={!isOfThis}>
      {[...offer.fields, [OFFER_FIELD, offer.key]].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class="button plain">
        Undo
      </button>
    </form>
  );
  if (said === null) return undo;
  const isDone = !NOT_DONE.has(said.flash);
  return (
    <>
      <div class={`notice ${isDone ? 'good' : 'warn'} flash`} role={isDone ? 'status' : 'alert'}>
        <Icon name={isDone ? 'circle-check' : 'triangle-alert'} />
        <p>{flashWords[said.flash]}</p>
        {isOfThis && undo}
      </div>
      {!isOfThis && undo}
    </>
  );
}

/** Draws whose pages these are: the product's, or the agency's if its client looks. */
function Brand({ brand }: { brand: FramedBrand | null }) {
  return (
    <header class="brand">
      <a href="/">
        {brand?.logoPath ? (
          <img class="logo" src={brand.logoPath} alt="" />
        ) : (
          !brand && <img src={assetUrl('mark.svg')} width="20" height="20" alt="" />
        )}
        <span>{brand?.name ?? layoutWords.product}</span>
      </a>
    </header>
  );
}

function Navigation({ section }: { section: SectionName | 'account' | undefined }) {
  const { sections, hasClients } = useFrame();
  const now = section && section !== 'account' && isSetting(section) ? 'settings' : section;
  const isShown = {
    ...{ inbox: sections.includes('inbox'), forms: sections.includes('forms') },
    clients: hasClients || section === 'clients',
    settings: settingsAmong(sections).length > 0,
  };
  return (
    <nav class="rail" aria-label="Main">
      <ul>
        {RAIL.filter((name) => isShown[name]).map((name) => (
          <li>
            <a href={`/${name}`} aria-current={name === now ? 'page' : undefined}>
              <Icon name={SECTIONS[name].icon} /> <span>{SECTIONS[name].title}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Draws a page of the settings beside their index; where there is no room, the way to the index above it. */
function Indexed({ now, children }: { now: SectionName; children: ComponentChildren }) {
  return (
    <div class="indexed">
      <nav class="index" aria-label={SECTIONS.settings.title}>
        <a class="up" href="/settings">
          <Icon name="chevron-left" /> <span>{SECTIONS.settings.title}</span>
        </a>
        {settingsAmong(useFrame().sections).map((name) => (
          <a href={`/${name}`} aria-current={name === now ? 'page' : undefined}>
            {SECTIONS[name].title}
          </a>
        ))}
      </nav>
      <div>{children}</div>
    </div>
  );
}

/** Most causes of warnings that the sentence names. */
const CAUSES_MAX = 2;

/** Draws one sentence about the causes of warnings in the bar of every page, and how to put it away. */
function TroublePill({ causes }: { causes: readonly Cause[] }) {
  const { here, seenAs } = useFrame();
  const named = causes.map(
    ({ code, forms }) =>
      (causeWords[code] ?? code) + (forms > 0 ? (forms === 1 ? ' (1 form)' : ` (${forms} forms)`) : ''),
  );
  const others = named.length - CAUSES_MAX;
  const more = others > 0 ? [`${others} more`] : [];
  const sentence = [...named.slice(0, CAUSES_MAX), ...more].join(' · ');
  return (
    <Menu class="trouble" icon="triangle-alert" text={sentence}>
      {named.map((cause) => (
        <p>{cause}</p>
      ))}
      <a href="/status">Show details</a>
      {seenAs === null && (
        <form method="post" action="/account/display">
          <input type="hidden" name="to" value={here} />
          <button type="submit" name="quiet" value={nameOfTrouble(causes)}>
            Hide until tomorrow
          </button>
        </form>
      )}
    </Menu>
  );
}

/** The viewer, and where they act. */
interface FramedPerson {
  name: string;
  account: string;
  /** Whether the pages do without keys. */
  keysOff: boolean;
  /** The accounts and clients where this person may act. */
  places: FramedPlace[];
}

/** Draws the person's menu. Signing out changes state, so it is a form. */
function PersonMenu({ name, account, places }: FramedPerson) {
  const { seenAs, brand } = useFrame();
  const isSelf = seenAs === null;
  return (
    <Menu class="person" icon="user" text={name} label={`Your account: ${name}`}>
      {places.length > 1 ? <Places places={places} /> : <p class="hint">{account}</p>}
      {isSelf && <a href="/account">Account and sign-in</a>}
      {brand === null && <a href="/docs">Documentation</a>}
      {isSelf && <DisplayChoices />}
      <form method="post" action="/sign-out">
        <button type="submit">
          <Icon name="log-out" /> Sign out
        </button>
      </form>
    </Menu>
  );
}

/** Draws how pages may look, as buttons that choose at once. */
function DisplayChoices() {
  const { display, here } = useFrame();
  const { labels, names } = layoutWords.display;
  return (
    <form method="post" action="/account/display" class="display">
      <input type="hidden" name="to" value={here} />
      {DISPLAY_NAMES.map((name) => (
        <div role="group" aria-label={labels[name]}>
          <span class="hint">{labels[name]}</span>
          {displayChoices(name).map((value) => (
            <button type="submit" name={name} value={value} aria-pressed={value === display[name] ? 'true' : 'false'}>
              {(names as Record<string, string>)[value]}
            </button>
          ))}
        </div>
      ))}
    </form>
  );
}

/** An account or client where the person may act. */
export interface FramedPlace {
  id: number;
  name: string;
  isHere: boolean;
}

/** Draws the other places of the person. Switching changes the session, so each is a form. */
function Places({ places }: { places: FramedPlace[] }) {
  return (
    <form method="post" action="/account/switch" class="places" aria-label={layoutWords.places}>
      {places.map(({ id, name, isHere }) => (
        <button type="submit" name="membership" value={id} aria-current={isHere ? 'true' : undefined}>
          {name}
        </button>
      ))}
    </form>
  );
}

/**
 * Draws the call of the API that gives what a page shows; without script the text can be selected. Who cannot
 * create the token that it takes is told whom to ask.
 * @param props.url as `URL` writes it, which has no quotation marks
 */
export function AsCurl({ url, hint = '' }: { url: string; hint?: string }) {
  const mayCreate = useFrame().sections.includes('tokens');
  return (
    <Fold title="Copy as curl">
      <p class="hint">
        Gets the same data from the API. Put your API token into $TOKEN. {hint}{' '}
        {mayCreate ? <a href="/tokens">Manage API tokens</a> : 'Ask an owner to create an API token for you.'}
      </p>
      <Copyable id="curl" text={`curl '${url}' \\\n  --header "Authorization: Bearer $TOKEN"`} />
    </Fold>
  );
}
