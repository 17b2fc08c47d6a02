import { useFrame } from './shell.js';
import { curlWords } from './words.js';
import { Copyable } from '../parts/content.js';
import { Icon } from '../parts/icon.js';

/**
 * Draws the call of the API that gives what a page shows; without script the text can be selected. Who cannot
 * create the token that it takes is told whom to ask.
 */
export function AsCurl({ url, hint = '' }: { url: string; hint?: string }) {
  const mayCreate = useFrame().sections.includes('tokens');
  return (
    <details class="folded">
      <summary>
        <Icon name="chevron-right" /> {curlWords.title}
      </summary>
      <p class="hint">
        {curlWords.hint} {hint}{' '}
        {mayCreate ? <a href="/tokens">{curlWords.toTokens}</a> : curlWords.askForToken}
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
