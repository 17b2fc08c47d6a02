import type { ComponentChildren } from 'preact';
import { partWords } from './words.js';
import { Icon } from './icon.js';

/** Draws a search field with its button. It sends by GET, so that a result has an address. */
export function SearchForm(props: {
  /** A path of this service. */
  action: string;
  label: string;
  placeholder: string;
  value: string;
  /** The id of what describes the field; of a problem where it is invalid. */
  describedBy?: string;
  isInvalid?: boolean;
  children?: ComponentChildren;
}) {
  const { action, label, describedBy, isInvalid = false, children, ...input } = props;
  return (
    <form class="search" action={action} role="search">
      <label class="unseen" for="f-q">
        {label}
      </label>
      <input
        {...input}
        id="f-q"
        name="q"
        type="search"
        maxlength={255}
        autocomplete="off"
        autofocus={isInvalid}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
      />
      <button type="submit" class="button plain">
        <Icon name="search" />
        <span>{partWords.find}</span>
      </button>
      {children}
    </form>
  );
}
