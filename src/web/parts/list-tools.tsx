import { SearchForm } from './search-form.js';

/** Draws the search field of a list, above every long one. */
export function ListTools(props: { action: string; label: string; q: string }) {
  const { action, label, q } = props;
  return (
    <div class="list-tools">
      <SearchForm action={action} label={label} placeholder={label} value={q} />
    </div>
  );
}
