import { HtmlTooComplex, readFragment, type HtmlLimits, type Node, type Tag } from '../../platform/index.js';

/** Longest HTML of a mail, in characters. */
export const MAIL_HTML_MAX = 50_000;

/** Most elements around one another, and limits of all. One more is around everything. */
const DEPTH_MAX = 30;
const LIMITS: HtmlLimits = { nodes: 2_000, depth: DEPTH_MAX + 1, attributes: 10 };

/** Elements that the HTML of a mail may have. Pictures are none: to load one tells its server who reads the mail. */
const TAGS = [
  ...['p', 'br', 'h1', 'h2', 'h3', 'a', 'strong', 'em', 'ul', 'ol', 'li', 'blockquote'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
/** Targets of links. Values of visitors come after the host, so that none chooses where a link leads. */
const TARGET = /^(?:https:\/\/[^\s{}/?#\\]+(?:[/?#]|$)|mailto:)/i;

/** Says what the HTML of a mail may not have, the first of it; null where all is well. */
export function mailHtmlProblem(html: string): string | null {
  let problem: string | null = null;
  const refuse = (text: string | null) => {
    problem ??= text;
  };
  try {
    readFragment(html, LIMITS, {
      onComment: () => {
        refuse('must not contain comments');
      },
      onDoctype: () => {
        refuse('must not contain <!doctype>: it is the content of the mail, without a page around');
      },
      onStartTag: (tag) => {
        refuse(tagProblem(tag));
      },
      onEndTag: ({ tagName }) => {
        if (!TAGS.includes(tagName)) refuse(unknownTag(tagName));
      },
    });
  } catch (error) {
    if (!(error instanceof HtmlTooComplex)) throw error;
    refuse(
      `must not have more than ${LIMITS.nodes} elements, any inside of more than ${DEPTH_MAX} others, or one with several attributes`,
    );
  }
  return problem;
}

/** Reads HTML that `mailHtmlProblem` has passed; null for what it passed before there were limits, and is over them. */
export function readMailHtml(html: string): Node[] | null {
  try {
    return readFragment(html, LIMITS);
  } catch (error) {
    if (error instanceof HtmlTooComplex) return null;
    throw error;
  }
}

function tagProblem({ tagName, attrs }: Tag) {
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

function unknownTag(name: string) {
  return `must not contain <${name}>; use only ${TAGS.join(', ')}`;
}
