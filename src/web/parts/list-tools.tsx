import { words } from '../words.js';
import { SearchForm } from './search-form.js';

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
      <SearchForm action={action} label={label} placeholder={label} value={q} />
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
