import type { ComponentChildren } from 'preact';
import { partWords } from './words.js';
import { Icon, type IconName } from './icon.js';
import { URL_MAX_LENGTH } from '../../forms/model/http-url.js';
import { parseUrl } from '../../platform/kernel/text/parse-url.js';

/** Draws the head of a page: the link to the page above, the title, and the page's own buttons. */
export function PageHead(props: {
  title: string;
  /** The page above this one. */
  up?: { href: string; label: string };
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
      {props.children && <div class="actions">{props.children}</div>}
    </div>
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

/** Draws a state in a word and a mark; colour only repeats them. */
export function State(props: {
  kind: 'good' | 'bad' | 'warn' | 'quiet';
  /** In place of that of the kind. */
  icon?: IconName | undefined;
  children: string;
}) {
  const icons = {
    good: 'circle-check',
    bad: 'circle-x',
    warn: 'triangle-alert',
    quiet: 'clock',
  } as const;
  return (
    <span class={`state ${props.kind}`}>
      <Icon name={props.icon ?? icons[props.kind]} /> {props.children}
    </span>
  );
}

/** Draws a sentence that stands out; `warn` asks the reader to act. */
export function Notice(props: { kind: 'good' | 'bad' | 'warn'; children: ComponentChildren }) {
  const icons = { good: 'circle-check', bad: 'circle-x', warn: 'triangle-alert' } as const;
  return (
    <div class={`notice ${props.kind}`}>
      <Icon name={icons[props.kind]} />
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
        <Icon name="copy" /> <span>{partWords.copy}</span>
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
  const asking = props.live && {
    'hx-get': props.href,
    'hx-trigger': `every ${props.seconds}s`,
    'hx-select': `#${props.id}`,
    // What stays is the same element, with the focus.
    'hx-swap': 'outerMorph',
  };
  return (
    <div id={props.id} role="status" {...asking}>
      {props.children}
    </div>
  );
}

/**
 * Draws a link to an address from outside. Only http and https become a link; anything else, such
 * as `javascript:` or a longer text, stays text.
 */
export function ExternalLink({ href, children }: { href: string; children?: ComponentChildren }) {
  const shown = children ?? href;
  if (href.length > URL_MAX_LENGTH || !/^https?:\/\//i.test(href) || !parseUrl(href))
    return <>{shown}</>;
  return (
    <a href={href} rel="noopener noreferrer" target="_blank">
      {shown} <Icon name="external-link" />
    </a>
  );
}

/** Draws one level of several to choose from, with a line on what it means. */
export function LevelCard(props: {
  value: string;
  isChosen: boolean;
  said: { name: string; hint: string };
  /** A line on what it would have done of late. */
  would?: string;
}) {
  const { value, isChosen, said, would } = props;
  return (
    <label class="level">
      <input type="radio" name="level" value={value} checked={isChosen} />
      <b>{said.name}</b>
      <span class="hint">{said.hint}</span>
      {would !== undefined && <span class="would">{would}</span>}
    </label>
  );
}
