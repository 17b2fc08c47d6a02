// Gets pages of this service for parts of the one that is open.

/** Returns a page of this service; null when it is refused, or leads elsewhere, which the next click says. */
export async function load(address = '', headers: Record<string, string> = {}): Promise<Document | null> {
  const asked = { headers: { 'HX-Request': 'true', ...headers } };
  const answer = await fetch(address, asked).catch(() => null);
  return answer?.ok && !answer.redirected ? pageOf(answer) : null;
}

/** Returns the page that an answer is. */
export async function pageOf(answer: Response): Promise<Document> {
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Replaces a part; the focus stays at the same place in it. */
export function replace(part: Element, fresh: Element): void {
  const places = (of: Element) => [...of.querySelectorAll<HTMLElement>('a, button, input')];
  const at = places(part).findIndex((each) => each === document.activeElement);
  const next = document.importNode(fresh, true);
  part.replaceWith(next);
  places(next)[at]?.focus();
}
