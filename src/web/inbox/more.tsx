import { Menu } from '../parts/menu.js';
import { SaveView } from '../saved-views/views.page.js';
import { inboxWords } from './words.js';
import { viewWords } from '../saved-views/words.js';
import { isWhole } from '../addresses/folders.js';

interface MoreProps {
  /** The filter, as it was typed. */
  line: string;
  rows: readonly { id: string }[];
  forms: readonly { unread: number }[];
  mayTriage: boolean;
}

/** Draws the menu of the list: what is rarely done with all of it. */
export function More(props: MoreProps) {
  const { line, rows, forms, mayTriage } = props;
  const isUnread = forms.some(({ unread }) => unread > 0);
  return (
    <Menu class="more" icon="ellipsis" isPlain label={inboxWords.more}>
      {isUnread && rows.length > 0 && isWhole(line) && <ReadAll {...props} />}
      <a href="/views">{viewWords.manage}</a>
      <details class="save-view">
        <summary>{viewWords.save}</summary>
        <SaveView line={line} mayShare={mayTriage} />
      </details>
    </Menu>
  );
}

/** Draws a button that marks as read what is new in the forms that are shown, up to the newest row. */
function ReadAll({ line, rows: [newest] }: MoreProps) {
  return (
    <form method="post" action="/inbox/read">
      <input type="hidden" name="q" value={line} />
      <input type="hidden" name="up_to" value={newest?.id} />
      <button type="submit">{inboxWords.readAll}</button>
    </form>
  );
}
