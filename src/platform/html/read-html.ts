import {
  defaultTreeAdapter,
  Parser,
  Tokenizer,
  type DefaultTreeAdapterMap,
  type ParserOptions,
  type Token,
} from 'parse5';
import { setImmediate } from 'node:timers/promises';

export type Node = DefaultTreeAdapterMap['node'];
export type Element = DefaultTreeAdapterMap['element'];
export type Tag = Token.TagToken;

/** Most that is read of a text. */
export interface HtmlLimits {
  /** Elements and comments, with those that a parser adds: a font around each of many paragraphs is many fonts. */
  nodes: number;
  /** Elements around one another. */
  depth: number;
  /** Attributes of one element. */
  attributes: number;
}

/** Hears of tags and comments before they are read, by the names that parsers have for them. */
export interface TagWatch {
  onStartTag: (tag: Tag) => void;
  onEndTag: (tag: Tag) => void;
  onComment: () => void;
  onDoctype: () => void;
}

/** Limits of a page. Browsers nest 512 elements. */
export const PAGE_LIMITS: HtmlLimits = { nodes: 20_000, depth: 512, attributes: 256 };
/** Says what a page has that is not read. */
export const OVER_PAGE_LIMITS = `more than ${PAGE_LIMITS.nodes} elements, some that are ${PAGE_LIMITS.depth} deep in others, or with more than ${PAGE_LIMITS.attributes} attributes`;
/** Length that is read at once, in characters, and time after which others are served, in milliseconds. */
const PORTION_CHARS = 256;
const TURN_MS = 5;

/** A text has more than its limits allow. */
export class HtmlTooComplex extends Error {}

/** Reads a page of a stranger as browsers do, and serves others meanwhile. @throws HtmlTooComplex */
export async function readPage(html: string): Promise<DefaultTreeAdapterMap['document']> {
  const parser = new BoundedParser({ ...boundedBy(PAGE_LIMITS), sourceCodeLocationInfo: true });
  let begin = performance.now();
  for (let at = 0; at === 0 || at < html.length; at += PORTION_CHARS) {
    parser.feed(html, at);
    if (performance.now() - begin < TURN_MS) continue;
    await setImmediate();
    begin = performance.now();
  }
  return parser.document;
}

/** Reads a short piece of HTML. @throws HtmlTooComplex */
export function readFragment(
  html: string,
  limits: HtmlLimits,
  watch?: TagWatch,
): DefaultTreeAdapterMap['childNode'][] {
  const parser = BoundedParser.getFragmentParser(null, boundedBy(limits)) as BoundedParser;
  parser.watch = watch;
  for (let at = 0; at === 0 || at < html.length; at += PORTION_CHARS) parser.feed(html, at);
  return parser.getFragment().childNodes;
}

interface BoundedOptions extends ParserOptions<DefaultTreeAdapterMap> {
  limits: HtmlLimits;
}

/** Returns options of a parser that builds no larger tree. */
function boundedBy(limits: HtmlLimits): BoundedOptions {
  let nodes = 0;
  let depth = 0;
  const count = () => {
    if (++nodes > limits.nodes) throw new HtmlTooComplex();
  };
  const treeAdapter = {
    ...defaultTreeAdapter,
    createElement: (...parts: Parameters<typeof defaultTreeAdapter.createElement>) => {
      count();
      return defaultTreeAdapter.createElement(...parts);
    },
    createCommentNode: (text: string) => {
      count();
      return defaultTreeAdapter.createCommentNode(text);
    },
    onItemPush: () => {
      if (++depth > limits.depth) throw new HtmlTooComplex();
    },
    onItemPop: () => {
      depth--;
    },
  };
  return { limits, treeAdapter };
}

/** Counts the attributes of a tag before it ends. */
class BoundedTokenizer extends Tokenizer {
  get attributes(): number {
    return this.currentToken && 'attrs' in this.currentToken ? this.currentToken.attrs.length : 0;
  }
}

class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  watch: TagWatch | undefined;
  private readonly limits: HtmlLimits;
  private readonly bounded: BoundedTokenizer;

  constructor(options: BoundedOptions, ...of: [DefaultTreeAdapterMap['document']?, Element?]) {
    super(options, ...of);
    this.limits = options.limits;
    this.bounded = new BoundedTokenizer(this.options, this);
    this.tokenizer = this.bounded;
  }

  /** Reads the portion of a text that begins there. */
  feed(html: string, at: number): void {
    const end = at + PORTION_CHARS;
    this.tokenizer.write(html.slice(at, end), end >= html.length);
    this.refuseOver(this.bounded.attributes);
  }

  override onStartTag(tag: Tag): void {
    this.refuseOver(tag.attrs.length);
    this.watch?.onStartTag(tag);
    super.onStartTag(tag);
  }

  override onEndTag(tag: Tag): void {
    this.watch?.onEndTag(tag);
    super.onEndTag(tag);
  }

  override onComment(comment: Token.CommentToken): void {
    this.watch?.onComment();
    super.onComment(comment);
  }

  override onDoctype(doctype: Token.DoctypeToken): void {
    this.watch?.onDoctype();
    super.onDoctype(doctype);
  }

  private refuseOver(attributes: number): void {
    if (attributes > this.limits.attributes) throw new HtmlTooComplex();
  }
}
