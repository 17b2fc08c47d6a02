import { defaultTreeAdapter, parse, type DefaultTreeAdapterMap } from 'parse5';

/** Most elements of a page, and how deep they are in each other: browsers nest 512. Parsing more takes minutes. */
const ELEMENTS_MAX = 100_000;
const DEPTH_MAX = 1_000;

/** A page has more elements than we look at, or deeper ones. */
export class PageTooComplex extends Error {}

/** Parses a page of a stranger in limited time. @throws PageTooComplex */
export function parseBounded(html: string): DefaultTreeAdapterMap['document'] {
  let elements = 0;
  let depth = 0;
  return parse(html, {
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement: (...parts) => {
        if (++elements > ELEMENTS_MAX) throw new PageTooComplex();
        return defaultTreeAdapter.createElement(...parts);
      },
      onItemPush: () => {
        if (++depth > DEPTH_MAX) throw new PageTooComplex();
      },
      onItemPop: () => {
        depth--;
      },
    },
  });
}
