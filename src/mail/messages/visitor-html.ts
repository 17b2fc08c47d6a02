import { h, type ComponentChild } from 'preact';
import { readMailHtml } from '../../forms/model/mail-html.js';
import type { Node } from '../../platform/html/read-html.js';
import type { Block } from '../parts/blocks.js';
import { CUT, Filling } from '../parts/template.js';

/** Elements after which plain text begins a new paragraph, or a new line. */
const PARAGRAPHS = ['p', 'h1', 'h2', 'h3', 'blockquote', 'ul', 'ol', 'table'];
const LINES = ['li', 'tr'];

/**
 * Fills the HTML of an owner. Values stand as text, whatever they contain; in links they are encoded.
 * @param html that `mailHtmlProblem` has passed
 * @param plain the plain text of the mail; null makes one from the HTML
 * @returns null for HTML that was passed before there were limits, and is over them
 */
export function htmlBlock(
  html: string,
  plain: string | null,
  values: ReadonlyMap<string, string>,
): Block | null {
  const filling = new Filling(values);
  const nodes = readMailHtml(html);
  if (nodes === null) return null;
  for (const node of nodes) fillNode(node, filling);
  const text = plain ?? tidied(nodes.map(textOf).join(''));
  const content = nodes.map(elementOf);
  return { kind: 'html', content: filling.isCut ? [...content, h('p', null, CUT)] : content, text };
}

function elementOf(node: Node): ComponentChild {
  if ('value' in node) return node.value;
  if (!('tagName' in node)) return null;
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  return h(node.tagName, attributes, ...node.childNodes.map(elementOf));
}

function fillNode(node: Node, filling: Filling): void {
  if ('value' in node) node.value = filling.of(node.value);
  if (!('tagName' in node)) return;
  for (const attribute of node.attrs) {
    attribute.value = filling.of(attribute.value, encodeURIComponent);
  }
  for (const child of node.childNodes) fillNode(child, filling);
}

function textOf(node: Node): string {
  if ('value' in node) return node.value.replace(/\s+/g, ' ');
  if (!('tagName' in node)) return '';
  const { tagName } = node;
  if (tagName === 'br') return '\n';
  const text = node.childNodes.map(textOf).join('');
  if (PARAGRAPHS.includes(tagName)) return `\n\n${text}\n\n`;
  if (LINES.includes(tagName)) return `\n${tagName === 'li' ? '- ' : ''}${text.trim()}`;
  if (tagName === 'td' || tagName === 'th') return `${text} `;
  const target = tagName === 'a' ? node.attrs[0]?.value.replace(/^mailto:/i, '') : undefined;
  return target === undefined || target === text ? text : `${text} (${target})`;
}

function tidied(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
