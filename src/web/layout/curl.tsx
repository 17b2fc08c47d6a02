import { words } from '../words.js';
import { Copyable } from './content.js';
import { Icon } from './icon.js';

/** Draws the call of the API that gives what a page shows; without script the text can be selected. */
export function AsCurl({ url, hint = '' }: { url: string; hint?: string }) {
  const { curl } = words;
  return (
    <details class="folded">
      <summary>
        <Icon name="chevron-right" /> {curl.title}
      </summary>
      <p class="hint">
        {curl.hint} {hint}
      </p>
      <Copyable id="curl" text={curlOf(url)} />
    </details>
  );
}

/**
 * Returns the command that gets an address of the API with the token in `$TOKEN`.
 * @param url as `URL` writes it, which has no quotation marks
 */
function curlOf(url: string): string {
  return `curl '${url}' \\\n  --header "Authorization: Bearer $TOKEN"`;
}
