import { Icon, type IconName, Section, Button, Field } from '../parts/index.js';
import { Page } from '../layout/shell.js';
import { layoutWords } from '../layout/words.js';

/** Words of the page that finds others. */
const goWords = {
  groups: {
    actions: 'This submission',
    forms: 'Forms',
    views: 'Saved views',
    folders: 'Folders',
    pages: 'Pages',
    clients: 'Clients',
    people: 'People',
    search: 'Submissions',
  },
} as const;

/** The pages that stand in no part of the service, with other words by which people look for them. */
export const PAGES = {
  statistics: { name: 'Statistics', icon: 'chart-column', words: 'charts numbers' },
  views: { name: 'Saved views', icon: 'eye', words: 'filters digest' },
  'new-form': { name: 'New form', icon: 'plus', words: 'create add form' },
  account: {
    ...{ name: 'Account and sign-in', icon: 'user' },
    words: 'time zone password passkeys two-step sessions email keyboard shortcuts profile',
  },
} as const satisfies Record<string, { name: string; icon: IconName; words: string }>;

/** Something that one can go to. */
export interface Place {
  name: string;
  href: string;
  icon: IconName;
  /** Kind of the result. */
  hint?: string;
}

export interface Group {
  name: keyof typeof goWords.groups;
  places: Place[];
}

/** Draws where one can go; the script shows the same over another page. */
export function GoPage(props: {
  text: string;
  groups: Group[];
  /** Whether forms are left out, since there are too many. */
  hasMore: boolean;
}) {
  const { text, groups, hasMore } = props;
  const count = groups.reduce((sum, { places }) => sum + places.length, 0);
  return (
    <Page title={layoutWords.go}>
      <form class="filter" id="go" action="/go" role="search" data-actions={goWords.groups.actions}>
        <Field
          name="q"
          label="Form, view, folder or page"
          type="search"
          value={text}
          maxlength={255}
          autocomplete="off"
          autofocus
        />
        <Button kind="plain">Find</Button>
      </form>
      <p class="hint" id="found-count" role="status">
        {count === 1 ? '1 result' : `${count} results`}
        {hasMore && ` · There are more forms. Type more of the name.`}
      </p>
      <div id="found">
        {groups.map(({ name, places }) => (
          <Section title={goWords.groups[name]}>
            <ul class="places-found">
              {places.map((place) => (
                <li>
                  <a href={place.href}>
                    <Icon name={place.icon} /> <span dir="auto">{place.name}</span>
                    {place.hint !== undefined && <span class="hint"> {place.hint}</span>}
                  </a>
                </li>
              ))}
            </ul>
          </Section>
        ))}
      </div>
    </Page>
  );
}
