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
export function readFragment(html: string, limits: HtmlLimits, watch?: TagWatch): DefaultTreeAdapterMap['childNode'][] {
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
  get attributes() {
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
  feed(html: string, at: number) {
    const end = at + PORTION_CHARS;
    this.tokenizer.write(html.slice(at, end), end >= html.length);
    this.refuseOver(this.bounded.attributes);
  }

  override onStartTag(tag: Tag) {
    this.refuseOver(tag.attrs.length);
    this.watch?.onStartTag(tag);
    super.onStartTag(tag);
  }

  override onEndTag(tag: Tag) {
    this.watch?.onEndTag(tag);
    super.onEndTag(tag);
  }

  override onComment(comment: Token.CommentToken) {
    this.watch?.onComment();
    super.onComment(comment);
  }

  override onDoctype(doctype: Token.DoctypeToken) {
    this.watch?.onDoctype();
    super.onDoctype(doctype);
  }

  private refuseOver(attributes: number) {
    if (attributes > this.limits.attributes) throw new HtmlTooComplex();
  }
}

/** Longest text of an element that is read, in characters, and most nodes that it is gathered from. */
const TEXT_MAX = 2_000;
const TEXT_NODES_MAX = 200;
const FIELDS = /^(?:select|textarea|button|script|style)$/;

/** Names the elements around an element. */
interface Around {
  form: Element | null;
  label: Element | null;
  /** Whether a disabled fieldset is around it. */
  isOff: boolean;
}

/** An element, and what it stands in. */
export interface Placed extends Around {
  element: Element;
}

/** Returns all elements below a node, in document order, except in templates. */
export function elementsOf(root: Node): Placed[] {
  const found: Placed[] = [];
  // A stack in place of recursion: pages are nested deep.
  const open = childrenOf(root, { form: null, label: null, isOff: false });
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, around } = next;
    if (!('tagName' in node)) continue;
    found.push({ element: node, ...around });
    open.push(...childrenOf(node, within(node, around)));
  }
  return found;
}

function within(element: Element, around: Around) {
  if (element.tagName === 'form') return { ...around, form: element };
  if (element.tagName === 'label') return { ...around, label: element };
  const isOff = element.tagName === 'fieldset' && attributeOf(element, 'disabled') !== null;
  return isOff ? { ...around, isOff } : around;
}

/** Returns an attribute; null without it. */
export function attributeOf({ attrs }: Element, name: string): string | null {
  return attrs.find((attribute) => attribute.name === name)?.value ?? null;
}

/** Returns the beginning of the text of an element, but for what stands in fields of it. */
export function textOf(element: Element | undefined | null) {
  let text = '';
  let nodes = 0;
  const open: Node[] = element ? [element] : [];
  for (let next = open.pop(); next && text.length < TEXT_MAX; next = open.pop()) {
    if (++nodes > TEXT_NODES_MAX) break;
    if ('value' in next) text += next.value.slice(0, TEXT_MAX);
    else if ('childNodes' in next && !isField(next)) {
      open.push(...next.childNodes.slice(0, TEXT_NODES_MAX).reverse());
    }
  }
  return text.replaceAll(/\s+/g, ' ');
}

function isField(node: Node) {
  return 'tagName' in node && FIELDS.test(node.tagName);
}

/** Returns the children of a node in the order of a stack. */
function childrenOf(node: Node, around: Around) {
  if (!('childNodes' in node)) return [];
  return node.childNodes.map((child: Node) => ({ node: child, around })).reverse();
}
