import { Marked, type Token, type Tokens } from 'marked';

/** A heading with what stands below it, up to the next one, but for commands. */
export interface Section {
  heading: string;
  anchor: string;
  depth: number;
  text: string;
}

/** Names headings as GitHub does: the second of the same name gets `-1`. */
export function anchors() {
  const taken = new Map<string, number>();
  return (heading: string) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    const times = taken.get(name) ?? 0;
    taken.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  };
}

/** Reads Markdown of ours: nothing in it has to be feared. */
export function sectionsOf(markdown: string): Section[] {
  const anchorOf = anchors();
  const sections: Section[] = [];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading') {
      const heading = textOf(token);
      sections.push({ heading, anchor: anchorOf(heading), depth: (token as Tokens.Heading).depth, text: '' });
    } else if (token.type !== 'code' || (token as Tokens.Code).lang !== 'sh') {
      const section = sections.at(-1);
      if (section) section.text += ` ${textOf(token)}`;
    }
  }
  return sections;
}

/** Draws Markdown. Code and tables can be scrolled by keyboard. */
export function htmlOf(markdown: string) {
  const anchorOf = anchors();
  const marked = new Marked({
    renderer: {
      heading(token) {
        const inner = this.parser.parseInline(token.tokens);
        return `<h${token.depth} id="${anchorOf(textOf(token))}">${inner}</h${token.depth}>\n`;
      },
    },
    hooks: {
      postprocess: (html) =>
        html
          .replaceAll('<pre>', '<pre tabindex="0">')
          .replaceAll('<th></th>', '<td></td>')
          .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
          .replaceAll('</table>', '</table></div>'),
    },
  });
  return marked.parse(markdown, { async: false });
}

function textOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flatMap((cells) => cells.map(({ tokens }) => tokens.map(textOf).join(''))).join(' ');
  }
  const { text = '', items, tokens = items } = token as { text?: string; items?: Token[]; tokens?: Token[] };
  return tokens ? tokens.map(textOf).join(token.type.startsWith('list') ? ' ' : '') : text;
}
