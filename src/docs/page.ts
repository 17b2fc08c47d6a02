import { createHash } from 'node:crypto';
import { styleSheet } from '../platform/index.js';

/** Address of the documentation. */
export const DOCS_PATH = '/docs';
export const REFERENCE_PATH = `${DOCS_PATH}/reference`;
export const STYLE = styleSheet('docs/docs.css');
/** Address of the style sheet; it changes with the content, so caches may keep it. */
export const STYLE_PATH = `${DOCS_PATH}/style-${createHash('sha256').update(STYLE).digest('hex').slice(0, 16)}.css`;

/** Characters of a search. */
export const QUERY_MAX = 200;

/** Parts of the documentation, in their order. */
export const GROUPS = ['Start', 'Guides', 'API guides', 'Reference'] as const;

/** A page, whose links lead to addresses of the service. */
export interface Page {
  /** Address, such as `/docs/api/tokens`. */
  path: string;
  title: string;
  /** One line in Markdown. */
  summary: string;
  group: (typeof GROUPS)[number];
  markdown: string;
}
