import { parseFilterLine } from '../../submissions/filter/filter-line.js';
import { Empty } from '../parts/content.js';
import { LinkButton } from '../parts/controls.js';
import { formWords } from '../forms/words.js';
import { importWords } from '../imports/words.js';
import { inboxWords } from './words.js';
import { folderOf, formsOf, inboxAddress, isPlain } from '../addresses/folders.js';

/** Facts that explain an empty list, as the inbox page has them. */
interface NothingProps {
  line: string;
  unclear: readonly string[];
  forms: { name: string; identifier: string }[];
  before: string;
  lookedTo: Date | null;
  mayCreateForms: boolean;
  /** Whether the reader may change forms and their submissions. */
  mayImport: boolean;
}

/** Draws a list without submissions: why it is empty, and the next step. */
export function Nothing(props: NothingProps) {
  const { line, forms, before, mayCreateForms, unclear, lookedTo } = props;
  const folder = folderOf(line);
  const fields = parseFilterLine(line, new Date()).values.map(({ name }) => name);
  if (forms.length === 0) {
    return (
      <Empty icon="inbox" title={inboxWords.emptyTitle}>
        <p>{mayCreateForms ? inboxWords.emptyWithoutForms : inboxWords.emptyForClients}</p>
        {mayCreateForms && (
          <LinkButton href="/new-form" kind="primary" icon="plus">
            {formWords.create}
          </LinkButton>
        )}
      </Empty>
    );
  }
  if (!isPlain(line) || unclear.length > 0 || lookedTo !== null) {
    return (
      <Empty icon="inbox" title={inboxWords.nothingFound}>
        <p>{inboxWords.nothingFoundHint(line)}</p>
        {fields.length > 0 && (
          <p>
            <bdi>{inboxWords.fieldsLookedFor(fields.map((name) => `“${name}:”`).join(', '))}</bdi>
          </p>
        )}
        <a href={inboxAddress()}>{inboxWords.showNew}</a>
      </Empty>
    );
  }
  const [only] = formsOf(line, forms);
  const isFresh = (folder === 'new' || folder === 'all') && before === '';
  return (
    <Empty icon="inbox" title={inboxWords.emptyFolders[folder].title}>
      <p>{inboxWords.emptyFolders[folder].text}</p>
      {isFresh && (
        <LinkButton href={only ? `/forms/${only.identifier}` : '/forms'} kind="primary">
          {only ? inboxWords.toForm : inboxWords.toForms}
        </LinkButton>
      )}
      {isFresh && only && props.mayImport && (
        <a href={`/forms/${only.identifier}/import`}>{importWords.from}</a>
      )}
    </Empty>
  );
}
