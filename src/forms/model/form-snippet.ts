/**
 * Writes a form that owners paste into a page. Browsers tell other sites the origin of a page and no more, so the form
 * says where it stands when it is sent, in an attribute that templates and editors keep more often than a script.
 * @param more lines in front of its button
 */
export function formSnippet(address: string, more = '') {
  return `<form action="${address}" method="post" accept-charset="UTF-8"
  onsubmit="this._page.value = location.href">
  <label>Your email <input type="email" name="email" required></label>
  <label>Message <textarea name="message" required></textarea></label>
  <input type="text" name="_gotcha" hidden tabindex="-1" autocomplete="off">
  <input type="hidden" name="_page">${more}
  <button type="submit">Send</button>
</form>`;
}
