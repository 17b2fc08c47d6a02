/** Begins of what has no elements within it. */
const BEGINS = /<(script|style)\b|<!--/gi;
/** Longest code of scripts that is looked at, in characters. */
const SCRIPTS_MAX = 500_000;

/**
 * Divides a page into its elements and the code of its scripts, without comments and styles: most of a page is of no use
 * to whoever looks for forms.
 */
export function divided(html: string): { elements: string; scripts: string } {
  const elements: string[] = [];
  const scripts: string[] = [];
  let from = 0;
  BEGINS.lastIndex = 0;
  for (let found = BEGINS.exec(html); found; found = BEGINS.exec(html)) {
    const kind = found[1]?.toLowerCase();
    const begin =
      kind === undefined ? found.index : html.indexOf('>', found.index) + 1 || html.length;
    elements.push(html.slice(from, begin));
    from = endOf(html, kind, begin);
    if (kind === 'script') scripts.push(html.slice(begin, from));
    BEGINS.lastIndex = from;
  }
  elements.push(html.slice(from));
  return { elements: elements.join(''), scripts: scripts.join('\n').slice(0, SCRIPTS_MAX) };
}

/** Returns where the code of an element ends, or behind a comment. */
function endOf(html: string, kind: string | undefined, begin: number): number {
  const end = kind === undefined ? /-->/g : kind === 'script' ? /<\/script/gi : /<\/style/gi;
  end.lastIndex = begin;
  const found = end.exec(html);
  if (!found) return html.length;
  return kind === undefined ? end.lastIndex : found.index;
}
