import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { assetUrl } from '../assets/assets.js';
import { URL_MAX_LENGTH } from '../../forms/model/form-values.js';
import { parseUrl, DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/index.js';

/** Words of what many pages have. */
export const partWords = { cancel: 'Cancel' } as const;

/** Words of the fields and buttons that sign in. */
export const signInWords = { email: 'Email address', password: 'Password', go: 'Sign in' } as const;

/** Name of an outline in `assets/icons.svg`. */
export type IconName =
  | 'inbox'
  | 'clipboard-list'
  | 'users'
  | 'key-round'
  | 'activity'
  | 'circle-check'
  | 'triangle-alert'
  | 'circle-x'
  | 'copy'
  | 'check'
  | 'plus'
  | 'trash-2'
  | 'send'
  | 'external-link'
  | 'paperclip'
  | 'clock'
  | 'chevron-left'
  | 'chevron-right'
  | 'log-out'
  | 'settings'
  | 'mail'
  | 'mail-check'
  | 'reply'
  | 'circle'
  | 'circle-dot'
  | 'webhook'
  | 'refresh-cw'
  | 'copy-plus'
  | 'shield-alert'
  | 'globe'
  | 'user'
  | 'rotate-ccw'
  | 'download'
  | 'contact-round'
  | 'history'
  | 'eye'
  | 'user-plus'
  | 'palette'
  | 'star'
  | 'chart-column'
  | 'search'
  | 'ellipsis'
  | 'grip-vertical'
  | 'pencil'
  | 'chevron-down'
  | 'x';

/** Draws an outline beside words that say the same, so screen readers skip it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" width="16" height="16" aria-hidden="true" focusable="false">
      <use href={`${assetUrl('icons.svg')}#${name}`} />
    </svg>
  );
}

/** Draws the head of a page: the link to the page above, the title, and the page's own buttons. */
export function PageHead(props: {
  title: string;
  /** The page above this one. */
  up?: { href: string; label: string };
  /** A pill beside the title. */
  state?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class="head">
      {props.up && (
        <a class="up" href={props.up.href}>
          <Icon name="chevron-left" /> <span>{props.up.label}</span>
        </a>
      )}
      <h1>{props.title}</h1>
      {props.state}
      {props.children && <div class="actions">{props.children}</div>}
    </div>
  );
}

/** Draws a part of a page under its heading. */
export function Section(props: {
  title: ComponentChildren;
  id?: string;
  class?: string;
  hint?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const { title, hint, children, ...own } = props;
  return (
    <section {...own}>
      <h2>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {children}
    </section>
  );
}

/** Draws facts, each with its name. */
export function Facts(props: { facts: readonly (readonly [string, ComponentChildren])[]; dir?: 'auto' }) {
  return (
    <dl class="facts">
      {props.facts.map(([label, content]) => (
        <div>
          <dt class="hint">{label}</dt>
          <dd dir={props.dir}>{content}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Draws links to pages that stand beside each other, and marks the one that is shown. */
export function Tabs(props: {
  class?: string;
  label: string;
  tabs: readonly { href: string; name: string; isNow: boolean }[];
}) {
  return (
    <nav class={props.class ?? 'tabs'} aria-label={props.label}>
      {props.tabs.map(({ href, name, isNow }) => (
        <a href={href} aria-current={isNow ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** Draws an empty list: what will be in it, and how to begin. */
export function Empty(props: { icon: IconName; title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={props.icon} />
      <h2>{props.title}</h2>
      {props.children}
    </div>
  );
}

/** Draws a part of a page that is folded under its title. */
export function Fold(props: {
  title: ComponentChildren;
  icon?: IconName;
  open?: boolean;
  children: ComponentChildren;
}) {
  return (
    <details class="folded" open={props.open}>
      <summary>
        <Icon name={props.icon ?? 'chevron-right'} /> {props.title}
      </summary>
      {props.children}
    </details>
  );
}

/** Outlines of the kinds of states and notices. */
const KIND_ICONS = { good: 'circle-check', bad: 'circle-x', warn: 'triangle-alert', quiet: 'clock' } as const;

/** Draws a state in a word and a mark; colour only repeats them. */
export function State(props: {
  kind: 'good' | 'bad' | 'warn' | 'quiet';
  /** In place of that of the kind. */
  icon?: IconName | undefined;
  children: ComponentChildren;
}) {
  return (
    <span class={`state ${props.kind}`}>
      <Icon name={props.icon ?? KIND_ICONS[props.kind]} /> {props.children}
    </span>
  );
}

/** Draws a sentence that stands out; `warn` asks the reader to act. */
export function Notice(props: { kind: 'good' | 'bad' | 'warn'; children: ComponentChildren }) {
  return (
    <div class={`notice ${props.kind}`}>
      <Icon name={KIND_ICONS[props.kind]} />
      <div>{props.children}</div>
    </div>
  );
}

/** Draws text with a button that copies it; without script the button is hidden. */
export function Copyable({ id, text }: { id: string; text: string }) {
  return (
    <div class="copyable">
      <pre id={id} tabindex={0}>
        <code>{text}</code>
      </pre>
      <button type="button" class="button plain" data-copy={id} hidden>
        <Icon name="copy" /> <span>Copy</span>
      </button>
    </div>
  );
}

/** Draws a part of a page that script replaces, by the part with the same id of a page that it polls. */
export function LiveRegion(props: {
  id: string;
  /** The page that holds this region. */
  href: string;
  seconds: number;
  /** False ends the polling. */
  live: boolean;
  children: ComponentChildren;
}) {
  const asking = props.live && { 'data-from': props.href, 'data-every': props.seconds };
  return (
    <div id={props.id} role="status" {...asking}>
      {props.children}
    </div>
  );
}

/** The heading of a column: what it shows, or `number` where that is numbers. False and nothing leave the column out. */
type Heading = ComponentChildren | { number: ComponentChildren };

/** Draws a table in a panel, with a heading over each column. */
export function Table(props: {
  class?: string;
  caption?: ComponentChildren;
  head: readonly Heading[];
  /** Class of the panel beside its own. */
  panel?: string;
  /** Whether the table stands in no panel of its own. */
  isBare?: boolean;
  children: ComponentChildren;
}) {
  const { caption, head, panel, isBare = false, children } = props;
  const table = (
    <table class={props.class}>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>
          {head.map((heading) => {
            if (heading === false || heading == null) return null;
            const isNumber = typeof heading === 'object' && 'number' in heading;
            if (!isNumber) return <th scope="col">{heading}</th>;
            return (
              <th scope="col" class="number">
                {heading.number}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
  return isBare ? table : <div class={panel ? `panel ${panel}` : 'panel'}>{table}</div>;
}

/**
 * Draws a link to an address from outside. Only http and https become a link; anything else, such
 * as `javascript:` or a longer text, stays text.
 */
export function ExternalLink({ href, children }: { href: string; children?: ComponentChildren }) {
  const shown = children ?? href;
  if (href.length > URL_MAX_LENGTH || !/^https?:\/\//i.test(href) || !parseUrl(href)) return <>{shown}</>;
  return (
    <a href={href} rel="noopener noreferrer" target="_blank">
      {shown} <Icon name="external-link" />
    </a>
  );
}

/** The time zone of the signed-in person, an IANA name; set by `<Shell>`. */
export const TimeZone = createContext('UTC');

const STYLES = {
  short: { dateStyle: 'medium', timeStyle: 'short' },
  full: { dateStyle: 'full', timeStyle: 'long' },
  weekday: { weekday: 'short' },
  day: { day: 'numeric', month: 'short' },
  date: { dateStyle: 'medium' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** From this age on a day has a date and no weekday, in milliseconds. */
const WEEK_MS = 6 * DAY_MS;
/** From this age on a date has a year, in milliseconds. */
const YEAR_MS = 300 * DAY_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Shows a moment in the person's zone; its exact time, with the zone, is in the title. */
export function Time({ at }: { at: Date }) {
  const zone = useContext(TimeZone);
  return (
    <time datetime={at.toISOString()} title={format(zone, 'full', at)}>
      {format(zone, 'short', at)}
    </time>
  );
}

/** Shows how old something is, as people say it: "5 min", "2 h", "Tue", "24 Nov"; its exact time is in the title. */
export function Age({ at }: { at: Date }) {
  const zone = useContext(TimeZone);
  return (
    <time datetime={at.toISOString()} title={format(zone, 'full', at)}>
      {ageOf(at, new Date(), zone)}
    </time>
  );
}

/** Returns how old something is, as people say it. */
function ageOf(at: Date, now: Date, timeZone: string) {
  const age = now.getTime() - at.getTime();
  if (age < MINUTE_MS) return 'now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return format(timeZone, age < WEEK_MS ? 'weekday' : age < YEAR_MS ? 'day' : 'date', at);
}

/** Formats a moment. Formatters are kept, since making one takes longer than rendering a page. */
function format(timeZone: string, style: keyof typeof STYLES, at: Date) {
  const key = `${style} ${timeZone}`;
  let known = formats.get(key);
  if (!known) {
    known = new Intl.DateTimeFormat('en-GB', { timeZone, ...STYLES[style] });
    formats.set(key, known);
  }
  return known.format(at);
}

/** Draws a button that opens a menu, without script too; one menu is open at a time. */
export function Menu(props: {
  class: string;
  icon: IconName;
  /** Text of the button; left out where the icon stands alone. */
  text?: string;
  /** Name of the button where its text says less. */
  label?: string;
  /** Whether the button has a border of its own. */
  isPlain?: boolean;
  children: ComponentChildren;
}) {
  const { icon, text, label, isPlain = false, children } = props;
  return (
    <details class={`${props.class} pop`} name="menu">
      <summary class={isPlain ? 'button plain' : undefined} aria-label={label}>
        <Icon name={icon} />
        {text !== undefined && (
          <>
            {' '}
            <span>{text}</span>
          </>
        )}
      </summary>
      <div class="menu">{children}</div>
    </details>
  );
}

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** Returns what a country is called, such as `Germany`, by its two letters; those where it has no name. */
export function countryName(code: string) {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code;
}
