import { SCRIPTS, type Script, type SpamSignal } from '../evidence/spam-evidence.js';

/** A word of Latin letters in which some of another script look like them. */
const MIXED =
  /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]\p{L}*\p{Script=Latin}|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}\p{L}*[\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** Characters of all values together that count. */
const TEXT_MAX = 2_000;
/** Fewer letters say nothing about a script. */
const LETTERS_MIN = 10;
const LETTER = /\p{L}/gu;

/** Says that words mix scripts to look like others, or that the letters are not those the form expects. */
export const script: SpamSignal = {
  name: 'script',
  points: 4,
  enabled: true,
  again: true,
  look: ({ fields }, settings) => {
    let text = '';
    for (const field of fields) {
      if (text.length < TEXT_MAX) text += `${field.text.slice(0, TEXT_MAX - text.length)} `;
    }
    // Plain text of the ASCII range has one script.
    const isPlain = !/[^\x20-\x7e\s]/.test(text);
    if (!isPlain && MIXED.test(text)) {
      return settings.part('script', 'A word mixes letters of different scripts.');
    }
    const { scripts } = settings;
    if (scripts === null || (isPlain && scripts.includes('Latin'))) return null;
    const letters = text.match(LETTER) ?? [];
    if (letters.length < LETTERS_MIN || 2 * countOf(text, scripts) >= letters.length) return null;
    return settings.part('script', `It is not written in ${scripts.join(' or ')} script.`);
  },
};

function countOf(text: string, scripts: readonly Script[]) {
  return scripts.reduce((sum, each) => sum + (text.match(SCRIPTS[each])?.length ?? 0), 0);
}
