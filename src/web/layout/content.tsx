import type { ComponentChildren } from 'preact';
import { words } from '../words.js';
import { Icon, type IconName } from './icon.js';

/** Draws the head of a page: where one is, what it is called, and what one can do about it. */
export function PageHead(props: {
  title: string;
  /** Where the page above is. */
  up?: { href: string; label: string };
  children?: ComponentChildren;
}) {
  return (
    <div class="head">
      {props.up && (
        <a class="up" href={props.up.href}>
          <Icon name="chevron-left" /> {props.up.label}
        </a>
      )}
      <h1>{props.title}</h1>
      {props.children && <div class="actions">{props.children}</div>}
    </div>
  );
}

/** Says what will be in an empty list, and how to begin. */
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
export function State(props: { kind: 'good' | 'bad' | 'warn' | 'quiet'; children: string }) {
  const icons = {
    good: 'circle-check',
    bad: 'circle-x',
    warn: 'triangle-alert',
    quiet: 'clock',
  } as const;
  return (
    <span class={`state ${props.kind}`}>
      <Icon name={icons[props.kind]} /> {props.children}
    </span>
  );
}

/** Draws a sentence that stands out: `warn` for what the reader should mend. */
export function Notice(props: { kind: 'good' | 'bad' | 'warn'; children: ComponentChildren }) {
  const icons = { good: 'circle-check', bad: 'circle-x', warn: 'triangle-alert' } as const;
  return (
    <div class={`notice ${props.kind}`}>
      <Icon name={icons[props.kind]} />
      <div>{props.children}</div>
    </div>
  );
}

/** Shows text to be taken elsewhere; the button needs script and is hidden without. */
export function Copyable({ id, text }: { id: string; text: string }) {
  return (
    <div class="copyable">
      <pre id={id} tabindex={0}>
        <code>{text}</code>
      </pre>
      <button type="button" class="button plain" data-copy={id} hidden>
        <Icon name="copy" /> <span>{words.copy}</span>
      </button>
    </div>
  );
}

/** Asks for its page again while it is looked at, and takes over the part with its own id. */
export function LiveRegion(props: {
  id: string;
  /** The page that holds this region. */
  href: string;
  seconds: number;
  /** False ends the asking: nothing more will change. */
  live: boolean;
  children: ComponentChildren;
}) {
  const asking = props.live && {
    'hx-get': props.href,
    'hx-trigger': `every ${props.seconds}s`,
    'hx-select': `#${props.id}`,
    'hx-swap': 'outerHTML',
  };
  return (
    <div id={props.id} role="status" {...asking}>
      {props.children}
    </div>
  );
}
