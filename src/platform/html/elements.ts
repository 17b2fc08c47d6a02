import type { Element, Node } from './read-html.js';

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

/** Returns all elements below a node, in document order, those of templates left out. */
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

function within(element: Element, around: Around): Around {
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
export function textOf(element: Element | undefined | null): string {
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

function isField(node: Node): boolean {
  return 'tagName' in node && FIELDS.test(node.tagName);
}

/** Returns the children of a node in the order of a stack. */
function childrenOf(node: Node, around: Around): { node: Node; around: Around }[] {
  if (!('childNodes' in node)) return [];
  return node.childNodes.map((child: Node) => ({ node: child, around })).reverse();
}
