import type { DefaultTreeAdapterMap } from 'parse5';

export type Element = DefaultTreeAdapterMap['element'];
type Node = DefaultTreeAdapterMap['node'];

/** An element, and the form and the label that it stands in. */
export interface Placed {
  element: Element;
  form: Element | null;
  label: Element | null;
}

/** Returns all elements below a node, in document order, those of templates left out. */
export function elementsOf(root: Node): Placed[] {
  const found: Placed[] = [];
  // A stack in place of recursion: pages can be nested as deep as they are long.
  const open = childrenOf(root, null, null);
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, form, label } = next;
    if (!('tagName' in node)) continue;
    found.push({ element: node, form, label });
    const isForm = node.tagName === 'form';
    const isLabel = node.tagName === 'label';
    open.push(...childrenOf(node, isForm ? node : form, isLabel ? node : label));
  }
  return found;
}

/** Returns an attribute; null without it. */
export function attributeOf({ attrs }: Element, name: string): string | null {
  return attrs.find((attribute) => attribute.name === name)?.value ?? null;
}

/** Returns the text of an element, but for what stands in fields of it. */
export function textOf(element: Element | undefined | null): string {
  let text = '';
  const open: Node[] = element ? [element] : [];
  for (let next = open.pop(); next; next = open.pop()) {
    if ('value' in next) text += next.value;
    else if ('childNodes' in next && !isField(next)) open.push(...next.childNodes.toReversed());
  }
  return text.replaceAll(/\s+/g, ' ');
}

function isField(node: Node): boolean {
  return 'tagName' in node && /^(?:select|textarea|button|script|style)$/.test(node.tagName);
}

/** Returns the children of a node in the order of a stack. */
function childrenOf(node: Node, form: Element | null, label: Element | null) {
  if (!('childNodes' in node)) return [];
  return node.childNodes.map((child: Node) => ({ node: child, form, label })).reverse();
}
