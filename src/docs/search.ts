import MiniSearch from 'minisearch';
import { setImmediate } from 'node:timers/promises';
import { inSlices } from '../platform/index.js';
import { sectionsOf, type Section } from './markdown.js';
import { REFERENCE_PATH, type Page } from './page.js';

/** A section as it is found. */
export interface Finding {
  /** Title of its page. */
  title: string;
  heading: string;
  /** Address with its anchor. */
  href: string;
  /** Words that stand there, and which of them were looked for. */
  excerpt: { text: string; isFound: boolean }[];
}

interface Indexed extends Omit<Finding, 'excerpt'> {
  id: number;
  text: string;
  weight: number;
}

/** Sections that are read in one turn: a few milliseconds. */
const SLICE = 10;
const RESULTS_MAX = 20;
const WORDS_MAX = 12;
const EXCERPT_CHARS = 180;
/** Words that say nothing about what somebody looks for. */
const STOP_WORDS = new Set(
  `a about all an and any are as at be by can could did do does for from get has have how i if in into is it its
  me my no not of off on or our out over s should so t that the their them there they this to up use using was we
  what when where which who why will with without would you your`.split(/\s+/),
);

/** Finds sections of pages. */
export class Search {
  private readonly sections: Indexed[] = [];
  private readonly index = new MiniSearch<Indexed>({
    fields: ['heading', 'title', 'text'],
    tokenize: wordsIn,
    processTerm: termOf,
    searchOptions: {
      boost: { heading: 4, title: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { fuzzy: 0.2, prefix: 0.4 },
      boostDocument: (id) => this.sections[Number(id)]?.weight ?? 1,
    },
  });

  /** Reads pages, and serves others in between. */
  static async of(pages: readonly Page[]): Promise<Search> {
    const search = new Search();
    for (const page of pages) {
      const sections = sectionsOf(page.markdown);
      for (const some of inSlices(sections, SLICE)) {
        await setImmediate();
        for (const section of some) search.add(page, section);
      }
    }
    return search;
  }

  /** Returns up to 20 sections: first those that have most words, then by what is rare and stands in headings. */
  find(query: string): Finding[] {
    const words = [...new Set(wordsIn(query).filter((word) => termOf(word)))].slice(0, WORDS_MAX);
    const found = this.index.search(words.join(' '));
    const ranked = found.toSorted((a, b) => b.queryTerms.length - a.queryTerms.length);
    return ranked.slice(0, RESULTS_MAX).flatMap(({ id, terms }) => {
      const section = this.sections[Number(id)];
      return section ? [{ ...section, excerpt: excerptOf(section.text, terms) }] : [];
    });
  }

  private add({ path, title }: Page, { heading, anchor, depth, text }: Section) {
    const href = depth === 1 ? path : `${path}#${anchor}`;
    const section = { id: this.sections.length, title, heading, href, text, weight: weightOf(path) };
    this.sections.push(section);
    this.index.add(section);
  }
}

const WORD = /[\p{L}\p{N}]+/gu;

/** Puts guides before the reference, and pages for contributors after them. */
function weightOf(path: string) {
  if (/\/reference\/(?:objects|errors)$/.test(path)) return 0.3;
  return path.startsWith(REFERENCE_PATH) || /^\/docs\/(?:architecture|glossary|security)$/.test(path) ? 0.6 : 1;
}

function wordsIn(text: string) {
  return text.match(WORD) ?? [];
}

/** Returns the word under which another is kept: in lower case, without the `s` of a plural; null for a stop word. */
function termOf(word: string) {
  const lower = word.toLowerCase();
  if (STOP_WORDS.has(lower)) return null;
  return lower.length > 3 ? lower.replace(/(?<!s)s$/, '') : lower;
}

/** Returns the text around the first word that was found, word by word. */
function excerptOf(text: string, terms: readonly string[]): Finding['excerpt'] {
  const plain = text.replace(/\s+/g, ' ').trim();
  const isFound = (word: string) => terms.includes(termOf(word) ?? '');
  const first = [...plain.matchAll(WORD)].find(([word]) => isFound(word))?.index ?? 0;
  const start = first < EXCERPT_CHARS / 3 ? 0 : plain.indexOf(' ', first - EXCERPT_CHARS / 3) + 1;
  const cut = plain.slice(start, start + EXCERPT_CHARS);
  const isWhole = start + cut.length === plain.length;
  const whole = `${start > 0 ? '… ' : ''}${isWhole ? cut : `${cut.slice(0, cut.lastIndexOf(' '))} …`}`;
  return whole.split(/([\p{L}\p{N}]+)/u).map((piece) => ({ text: piece, isFound: isFound(piece) }));
}
