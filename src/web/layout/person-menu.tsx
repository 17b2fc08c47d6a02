import { Menu } from '../parts/menu.js';
import { Icon } from '../parts/icon.js';
import { layoutWords } from './words.js';
import { DISPLAY_NAMES, displayChoices, type Display } from './display.js';
import { Places, type FramedPlace } from './places.js';
import { MENU, type SectionName } from './sections.js';

/** The viewer, and where they act. */
export interface FramedPerson {
  name: string;
  account: string;
  /** Whether the pages do without keys. */
  keysOff: boolean;
  /** The accounts and clients where this person may act. */
  places: FramedPlace[];
}

interface PersonMenuProps extends FramedPerson {
  /** The parts of the service that this person may open. */
  open: SectionName[];
  isSelf: boolean;
  display: Display;
  /** Address of this page. */
  here: string;
}

/** Draws the person's menu. Signing out changes state, so it is a form. */
export function PersonMenu(props: PersonMenuProps) {
  const { name, account, places, open, isSelf } = props;
  return (
    <Menu class="person" icon="user" text={name} label={`${layoutWords.nav.person}: ${name}`}>
      {places.length > 1 ? <Places places={places} /> : <p class="hint">{account}</p>}
      {open.includes('inbox') && <a href="/visitors">{layoutWords.nav.visitors}</a>}
      {MENU.filter((name) => open.includes(name)).map((name) => (
        <a href={`/${name}`}>{layoutWords.nav[name]}</a>
      ))}
      {isSelf && <a href="/account">{layoutWords.nav.account}</a>}
      {isSelf && <DisplayChoices {...props} />}
      <form method="post" action="/sign-out">
        <button type="submit">
          <Icon name="log-out" /> {layoutWords.nav.signOut}
        </button>
      </form>
    </Menu>
  );
}

/** Draws how pages may look, as buttons that choose at once. */
function DisplayChoices({ display, here }: Pick<PersonMenuProps, 'display' | 'here'>) {
  const { labels, names } = layoutWords.display;
  return (
    <form method="post" action="/account/display" class="display">
      <input type="hidden" name="to" value={here} />
      {DISPLAY_NAMES.map((name) => (
        <div role="group" aria-label={labels[name]}>
          <span class="hint">{labels[name]}</span>
          {displayChoices(name).map((value) => (
            <button
              type="submit"
              name={name}
              value={value}
              aria-pressed={value === display[name] ? 'true' : 'false'}
            >
              {(names as Record<string, string>)[value]}
            </button>
          ))}
        </div>
      ))}
    </form>
  );
}
