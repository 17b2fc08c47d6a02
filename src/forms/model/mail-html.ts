import { parseFragment, Tokenizer, type DefaultTreeAdapterMap, type Token } from 'parse5';

/** Longest HTML of a mail, in characters. */
export const MAIL_HTML_MAX = 50_000;

/** Elements that the HTML of a mail may have. Pictures are none: to load one tells its server who reads the mail. */
const TAGS = [
  ...['p', 'br', 'h1', 'h2', 'h3', 'a', 'strong', 'em', 'ul', 'ol', 'li', 'blockquote'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
/** Targets of links. Values of visitors come after the host, so that none chooses where a link leads. */
const TARGET = /^(?:https:\/\/[^\s{}/?#\\]+(?:[/?#]|$)|mailto:)/i;

export type HtmlNode = DefaultTreeAdapterMap['childNode'];

/** Says what the HTML of a mail may not have, the first of it; null where all is well. */
export function mailHtmlProblem(html: string): string | null {
  let problem: string | null = null;
  const refuse = (text: string) => {
    problem ??= text;
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onComment: () => {
        refuse('must not contain comments');
      },
      onDoctype: () => {
        refuse('must not contain <!doctype>: it is the content of the mail, without a page around');
      },
      onStartTag: (tag) => {
        const said = tagProblem(tag);
        if (said !== null) refuse(said);
      },
      onEndTag: ({ tagName }) => {
        if (!TAGS.includes(tagName)) refuse(unknownTag(tagName));
      },
      onCharacter: nothing,
      onNullCharacter: nothing,
      onWhitespaceCharacter: nothing,
      onEof: nothing,
    },
  );
  tokenizer.write(html, true);
  return problem;
}

/** Reads HTML that `mailHtmlProblem` has passed. */
export function readMailHtml(html: string): HtmlNode[] {
  return parseFragment(html).childNodes;
}

function tagProblem({ tagName, attrs }: Token.TagToken): string | null {
  if (!TAGS.includes(tagName)) return unknownTag(tagName);
  for (const { name, value } of attrs) {
    if (tagName !== 'a' || name !== 'href') {
      return `must not contain the attribute ${name} on <${tagName}>: only links have one, href`;
    }
    if (!TARGET.test(value)) {
      return 'must not contain a link (<a href>) to anything but https:// with a host, or mailto:';
    }
  }
  return null;
}

function unknownTag(name: string): string {
  return `must not contain <${name}>; use only ${TAGS.join(', ')}`;
}

function nothing(): void {
  // Text may be anything.
}
