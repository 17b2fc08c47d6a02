import { apiDocument } from './api-document.js';
import { drawPage, drawResults } from './frame.js';
import { readGuides } from './guides.js';
import { DOCS_PATH, GROUPS, type Page } from './page.js';
import { referencePages } from './reference.js';
import { Search, type Finding } from './search.js';

/** Pages that list what others name: too long to be read at once. */
const LISTS = /\/reference\/(?:objects|errors)$/;
const TO_LISTS = /\[([^[\]]*)\]\([^()\s]*\/reference\/(?:objects|errors)\.md[^()\s]*\)/g;

/** Every page of the documentation, as HTML and as Markdown, and what is found in them. */
export class Site {
  /** Pages by their addresses, in the order of the navigation; the first one is the overview. */
  readonly pages: ReadonlyMap<string, Page>;
  private readonly product: string;
  private index: Promise<Search> | undefined;

  constructor(private readonly baseUrl: string) {
    const document = apiDocument();
    this.product = document.info.title;
    const pages = [...readGuides(), ...referencePages(document, baseUrl)];
    this.pages = new Map([overviewOf(pages, this.product), ...pages].map((page) => [page.path, page]));
  }

  /** Returns a page as HTML. */
  html(page: Page) {
    return drawPage(page, { product: this.product, pages: this.contents });
  }

  /** Returns a page as Markdown, with links to the Markdown of others. */
  markdown({ markdown }: Page) {
    return this.forPrograms(markdown);
  }

  /** Returns the sections that a text means, best first. */
  async find(text: string): Promise<Finding[]> {
    this.index ??= Search.of(this.contents);
    return (await this.index).find(text);
  }

  /** Returns what a text finds as HTML. */
  async results(text: string) {
    return drawResults(text, await this.find(text), { product: this.product, pages: this.contents });
  }

  /** Returns the list of all pages for language models (llmstxt.org). */
  llms() {
    const [overview] = this.pages.values();
    return this.forPrograms(`# ${this.product}\n\n> ${overview?.summary ?? ''}\n\n${listOf(this.contents, ': ')}`);
  }

  /** Returns all pages in one text, without the lists of objects and errors. */
  llmsFull() {
    const all = this.contents.filter(({ path }) => !LISTS.test(path));
    return all.map((page) => this.markdown(page).replace(TO_LISTS, '$1')).join('\n');
  }

  private get contents() {
    return [...this.pages.values()].filter(({ path }) => path !== DOCS_PATH);
  }

  private forPrograms(markdown: string) {
    const address = (path: string) => `${this.baseUrl}${path}${this.pages.has(path) ? '.md' : ''}`;
    return markdown.replace(/\]\((\/[^)#]*)/g, (_, path: string) => `](${address(path)}`);
  }
}

/** Returns the first page, which leads to all others. */
function overviewOf(pages: Page[], product: string): Page {
  const summary = `Guides and the API reference of ${product}.`;
  const programs = [
    '## For programs and AI agents',
    'Each page is there as Markdown too: add `.md` to its address. [llms.txt](/llms.txt) lists all pages, [llms-full.txt](/llms-full.txt) has them in one text, and [openapi.json](/api/openapi.json) describes the API (OpenAPI 3.1).',
  ];
  const markdown = ['# Documentation', summary, listOf(pages, '  \n  '), ...programs].join('\n\n');
  return { path: DOCS_PATH, title: 'Documentation', summary, group: 'Start', markdown: `${markdown}\n` };
}

/** Lists pages in their groups, one line each. */
function listOf(pages: Page[], separator: string) {
  return GROUPS.map((group) => {
    const own = pages.filter((page) => page.group === group);
    return `## ${group}\n\n${own.map(({ title, path, summary }) => `- [${title}](${path})${separator}${summary}`).join('\n')}`;
  }).join('\n\n');
}
