import { words } from '../words.js';
import { Icon } from './icon.js';

/** A link that arranges a list. */
export interface Chip {
  label: string;
  href: string;
  isOn: boolean;
}

/** Draws the search field of a list, and the ways to arrange it: one line above every long list. */
export function ListTools(props: { action: string; label: string; q: string; chips?: Chip[] }) {
  const { action, label, q, chips = [] } = props;
  return (
    <div class="list-tools">
      <form class="search" action={action} role="search">
        <label class="unseen" for="f-q">
          {label}
        </label>
        <input id="f-q" name="q" type="search" value={q} placeholder={label} maxlength={255} />
        <button type="submit" class="button plain">
          <Icon name="search" />
          <span>{words.inbox.find}</span>
        </button>
      </form>
      {chips.length > 0 && (
        <nav class="quick" aria-label={words.arrange}>
          {chips.map((chip) => (
            <a class="chip" href={chip.href} aria-current={chip.isOn ? 'true' : undefined}>
              {chip.label}
            </a>
          ))}
        </nav>
      )}
    </div>
  );
}
