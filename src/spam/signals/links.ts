import type { SpamSignal } from '../evidence/spam-evidence.js';

const LINK = /https?:\/\/|\bwww\./gi;
const MARKUP = /\[url[=\]]|<a\s[^>]{0,200}href/i;
/** Fields that hold a person's name or number, where nobody writes a link. */
const NAMES = /^(?:(?:first|last|full|your)[ _-]?)?name$|^(?:phone|tel|telephone|mobile)$/i;
/** So many links are nothing special. */
const USUAL = 2;
/** Up to one link for so many words is a text with links; more is links with some words. */
const WORDS_FOR_LINK = 8;
/** Longest text that is looked through, in characters. */
const TEXT_MAX = 20_000;

/** Says that there are many links, or links where nobody writes them. */
export const links: SpamSignal = {
  name: 'links',
  points: 2,
  enabled: true,
  again: true,
  look: ({ fields }, settings) => {
    let count = 0;
    let words = 0;
    let hasMarkup = false;
    for (const { name, text } of fields) {
      const looked = text.slice(0, TEXT_MAX);
      // Most texts have neither, which is told ten times faster so.
      const mayHave = looked.includes('://') || looked.includes('www.');
      const found = mayHave ? (looked.match(LINK)?.length ?? 0) : 0;
      if (found > 0 && NAMES.test(name)) {
        return settings.part('links', `There is a link in the field "${name}".`, 3);
      }
      if (found === 0) continue;
      count += found;
      words += looked.split(/\s+/).length;
      hasMarkup ||= MARKUP.test(looked);
    }
    if (hasMarkup) return settings.part('links', 'It contains links in HTML code.', 2);
    if (count <= USUAL) return null;
    const share = count > words / WORDS_FOR_LINK ? 2 : 1;
    return settings.part('links', `It has ${count} links.`, share);
  },
};
