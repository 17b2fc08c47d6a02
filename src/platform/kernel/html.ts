const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Holds HTML; any other text is escaped when it is put into a page. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

type Part = Html | string | number | null | Html[];

/** Builds HTML: html`<p>${text}</p>` escapes `text`, takes `Html` as it is, and leaves null out. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const text = strings.reduce((before, after, index) => before + render(parts[index - 1]) + after);
  return new Html(text);
}

function render(part: Part | undefined): string {
  if (part === null || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map((item) => item.text).join('');
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
