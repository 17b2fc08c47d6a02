/** Colours of one scheme, without functions and variables, which mail programs lack. */
export interface Scheme {
  ground: string;
  surface: string;
  /** Behind codes. */
  wash: string;
  ink: string;
  soft: string;
  line: string;
  accent: string;
  onAccent: string;
}

/** The colours of the pages in light mode. */
export const LIGHT: Scheme = {
  ground: '#f3f6f6',
  surface: '#ffffff',
  wash: '#edf3f3',
  ink: '#182428',
  soft: '#4e5a60',
  line: '#dbe1e2',
  accent: '#00675e',
  onAccent: '#ffffff',
};

/** The same in the dark. */
export const DARK: Scheme = {
  ground: '#0d1314',
  surface: '#141b1d',
  wash: '#1d2427',
  ink: '#e4e9eb',
  soft: '#a0aaad',
  line: '#2a3235',
  accent: '#68d0bf',
  onAccent: '#021817',
};

/**
 * Returns the style sheet of mails. Mail programs may drop it: then the styles
 * of the elements remain. It has no `<`, `&` or quotes, which rendering would escape.
 */
export function styleSheet(): string {
  const [background, colour] = [backgrounds(DARK), colours(DARK)];
  return [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    `body,table,td,p,h1,a{font-family:${FONTS}}`,
    `@media (prefers-color-scheme:dark){${rules('', background)}${rules('', colour)}}`,
    // Outlook's apps add these attributes to what they have darkened themselves.
    rules('[data-ogsb] ', background),
    rules('[data-ogsc] ', colour),
    `@media (max-width:${NARROW_PX}px){${NARROW}}`,
  ].join('\n');
}

/** Fonts that are installed; none is fetched. */
export const FONTS = '-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
export const MONO = 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace';

/** Width below which names are above their values. */
const NARROW_PX = 520;
const NARROW = [
  '.outer{padding:0!important}',
  '.card{border-width:0!important;border-radius:0!important}',
  '.inner{padding:24px 20px 8px!important}',
  '.foot{padding:16px 20px 32px!important}',
  '.name,.value{display:block!important;width:auto!important}',
  '.name{padding:12px 0 0!important}',
  '.value{border-top-width:0!important;padding:0 0 12px!important}',
].join('');

function backgrounds({ ground, surface, wash, accent }: Scheme): [string, string][] {
  return [
    ['.ground', `background-color:${ground}!important`],
    ['.surface', `background-color:${surface}!important`],
    ['.wash', `background-color:${wash}!important`],
    ['.button', `background-color:${accent}!important`],
  ];
}

function colours({ ink, soft, line, accent, onAccent }: Scheme): [string, string][] {
  return [
    ['.ink', `color:${ink}!important`],
    ['.soft', `color:${soft}!important`],
    ['.line', `border-color:${line}!important`],
    ['.link', `color:${accent}!important`],
    ['.label', `color:${onAccent}!important`],
  ];
}

function rules(before: string, all: [string, string][]): string {
  return all.map(([selector, rule]) => `${before}${selector}{${rule}}`).join('');
}
