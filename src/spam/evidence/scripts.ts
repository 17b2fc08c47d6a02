/** Scripts that a form can expect, with what finds their letters. */
export const SCRIPTS = {
  Arabic: /\p{Script=Arabic}/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
  Devanagari: /\p{Script=Devanagari}/gu,
  Greek: /\p{Script=Greek}/gu,
  Han: /\p{Script=Han}/gu,
  Hangul: /\p{Script=Hangul}/gu,
  Hebrew: /\p{Script=Hebrew}/gu,
  Kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  Latin: /\p{Script=Latin}/gu,
  Thai: /\p{Script=Thai}/gu,
} as const;

export type Script = keyof typeof SCRIPTS;

export const SCRIPT_NAMES = Object.keys(SCRIPTS) as Script[];
