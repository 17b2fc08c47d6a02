import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { ROOT } from '../platform/index.js';
import { DOCS_PATH, type Page } from './page.js';

/** Copies that the build makes of README.md and docs. */
const FOLDER = new URL('dist/docs/guides/', ROOT);
/** Names of files in the order in which one needs them; others come last. */
const ORDER = [
  ...[
    'install',
    'agents',
    'mail',
    'destinations',
    'watch',
    'canary',
    'operations',
    'settings',
    'scaling',
    'releases',
    'security',
    'glossary',
  ],
  ...['intake', 'forms', 'submissions', 'tokens', 'webhooks', 'deliveries', 'clients', 'people', 'moving', 'imports'],
  ...['client', 'audit', 'health', 'errors'],
];
/** Sections of the README about the repository. */
const OF_REPOSITORY = /^## (?:Tests|Development|Contributing|More|License)\n(?:(?!## ).*\n)*/gm;

/** Reads the guides, whose links lead to served addresses; a link to a file that is not served becomes plain text. */
export function readGuides(): Page[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  const addresses = new Map(files.map((file) => [file, addressOf(file)]));
  const all = files.map((file) => {
    const text = readFileSync(new URL(file, FOLDER), 'utf8');
    const own = file === 'README.md' ? text.replace(/^# .*/, '# Get started').replace(OF_REPOSITORY, '') : text;
    const markdown = withLinks(own, file, addresses);
    const title = (/^# (.*)/.exec(markdown)?.[1] ?? file).replaceAll('`', '');
    return { path: addressOf(file), title, summary: summaryOf(markdown), group: groupOf(file), markdown };
  });
  const rank = ({ path }: Page) => ORDER.indexOf(posix.basename(path)) + 1 || Infinity;
  return all.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

/** Returns the address of a file, such as `docs/api/tokens.md`. */
function addressOf(file: string) {
  return file === 'README.md' ? `${DOCS_PATH}/start` : `/${file.replace(/\.md$/, '')}`;
}

function groupOf(file: string): Page['group'] {
  if (file === 'README.md') return 'Start';
  return file.startsWith('docs/api/') ? 'API guides' : 'Guides';
}

/** Returns the first sentence after the title, without links. */
function summaryOf(markdown: string) {
  const [, paragraph = ''] = markdown.split(/\n{2,}/);
  const text = paragraph.replace(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1').replace(/\s+/g, ' ');
  return `${/^(.*?)[.:](?:\s|$)/.exec(text)?.[1] ?? text}.`;
}

/** Rewrites the links outside of code blocks; pictures are left out. */
function withLinks(markdown: string, file: string, addresses: ReadonlyMap<string, string>) {
  return markdown
    .split(/^(```.*\n(?:(?!```).*\n)*```)$/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replace(/(!?)\[([^[\]]*)\]\(([^()\s]+)\)/g, (link, isPicture: string, label: string, target: string) => {
            if (isPicture) return '';
            if (/^\w+:/.test(target)) return link;
            const [path = '', anchor] = target.split('#');
            const address = addresses.get(path === '' ? file : posix.join(posix.dirname(file), path));
            if (address === undefined) return label;
            return `[${label}](${address}${anchor === undefined ? '' : `#${anchor}`})`;
          }),
    )
    .join('');
}
