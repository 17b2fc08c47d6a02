/** The script that sends forms in place: its name, and the hash of its content where the name has one content for ever. */
export interface SnippetScript {
  name: string;
  integrity: string | null;
}

/** Corrections reach pages with this name by themselves. */
const NEWEST: SnippetScript = { name: 'f.js', integrity: null };

/**
 * Writes a form that owners paste into a page, and the line that loads its script. The form is sent without the script too.
 * @param more lines in front of its button
 */
export function formSnippet(address: string, script = NEWEST, more = '') {
  return `${formHtml(address, more)}
${scriptHtml(address, script)}`;
}

/** Writes the form alone. */
export function formHtml(address: string, more = '') {
  return `<form data-fcs action="${address}" method="post" accept-charset="UTF-8">
  <label>Your email <input type="email" name="email" required></label>
  <label>Message <textarea name="message" required></textarea></label>
  <input type="text" name="_gotcha" hidden tabindex="-1" autocomplete="off">${more}
  <button type="submit">Send</button>
</form>`;
}

/** Writes the line that loads the script. */
export function scriptHtml(address: string, { name, integrity }: SnippetScript) {
  const hash = integrity === null ? '' : ` integrity="${integrity}"`;
  return `<script src="${new URL(`/${name}`, address).href}"${hash} crossorigin="anonymous" async></script>`;
}
