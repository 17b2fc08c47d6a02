import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { ROOT } from '../platform/index.js';
import { EN, type Text } from './en.js';

/** The languages of visitors' pages and emails, as BCP 47 names them. */
export const LANGUAGES = [
  ...(['en', 'ar', 'de', 'es', 'fr', 'he', 'it', 'ja', 'nl', 'pl', 'pt-BR', 'ru', 'tr', 'uk', 'zh-Hans'] as const),
];
export type Language = (typeof LANGUAGES)[number];
const FROM_RIGHT: ReadonlySet<string> = new Set(['ar', 'he']);

/** Names of the languages, for owners. */
const NAMES = new Intl.DisplayNames('en', { type: 'language' });
export const LANGUAGE_NAMES = Object.fromEntries(
  LANGUAGES.map((language) => [language, NAMES.of(language) ?? language]),
) as Record<Language, string>;

/** Longest language tag (RFC 5646, section 4.4.1) and longest list of them that is read, in characters. */
export const LANGUAGE_MAX = 35;
const LIST_MAX = 500;
const REMEMBERED = 1_000;

type Texts = typeof EN;
/** A text of the catalog. */
export type Key = keyof Texts;
type Named<Template> = Template extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never;
/** The names of the values in a text. */
type NamesIn<K extends Key> = Named<Texts[K] extends { readonly other: infer Other } ? Other : Texts[K]>;
type Values<K extends Key, Value> = [NamesIn<K>] extends [never] ? [] : [Record<NamesIn<K>, Value>];

/** A text with its values, to be told in a language that is known later. */
export interface Said {
  key: Key;
  values: Readonly<Record<string, string | number>>;
}

/** Numbers as examples, such as a date, which run from left to right. */
const NUMBERS = /[+\d][\d ./-]*\d/g;
/** Letters of scripts that run from right to left. */
const RTL_LETTER = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Says what visitors read in one language. */
export class Words {
  readonly dir: 'ltr' | 'rtl';
  private readonly plurals: Intl.PluralRules;

  constructor(
    readonly language: Language,
    private readonly texts: Readonly<Record<string, Text>>,
  ) {
    this.dir = FROM_RIGHT.has(language) ? 'rtl' : 'ltr';
    this.plurals = new Intl.PluralRules(language);
  }

  /** Returns a text with its values; what may run in the other direction is isolated (UAX 9). */
  say<K extends Key>(key: K, ...[values]: Values<K, string | number>): string {
    return this.tell({ key, values: values ?? {} });
  }

  /** Returns the text of `said`. */
  tell({ key, values }: Said): string {
    return this.parts(key, values)
      .map((part) => (typeof part === 'string' ? part : this.isolated(String(part.value))))
      .join('');
  }

  /** Returns a text with elements as its values. */
  around<K extends Key, Element>(key: K, ...[values]: Values<K, Element>): (string | Element)[] {
    return this.parts<Element>(key, values ?? {}).map((part) => (typeof part === 'string' ? part : part.value));
  }

  private parts<Value>(key: Key, values: Readonly<Record<string, Value>>): (string | { value: Value })[] {
    const text: Text = this.texts[key] ?? EN[key];
    const template = typeof text === 'string' ? text : (text[this.plurals.select(Number(values.count))] ?? text.other);
    return template.split(/\{(\w+)\}/).map((part, index) => {
      if (index % 2 === 1) return { value: values[part] as Value };
      return this.dir === 'rtl' ? part.replace(NUMBERS, '\u2066$&\u2069') : part;
    });
  }

  private isolated(value: string) {
    return this.dir === 'rtl' || RTL_LETTER.test(value) ? `\u2068${value}\u2069` : value;
  }
}

/** Tells whether a text has such a key. */
export function isKey(key: string): key is Key {
  return Object.hasOwn(EN, key);
}

export const ENGLISH = new Words('en', EN);

const LOADED = new Map<Language, Words>([['en', ENGLISH]]);

/** Returns the words of a language, which are read when they are first asked for. */
export function wordsIn(language: Language): Words {
  const known = LOADED.get(language);
  if (known) return known;
  const file = new URL(`dist/languages/translations/${language}.json`, ROOT);
  const { texts } = JSON.parse(readFileSync(file, 'utf8')) as { texts: Record<string, Text> };
  const words = new Words(language, texts);
  LOADED.set(language, words);
  return words;
}

/** Results by the tag, since reading one takes as long as a tenth of a submission. */
const MEANT = new LRUCache<string, { language: Language | null }>({ max: REMEMBERED });
const BY_SCRIPT = new Map(LANGUAGES.map((language) => [written(language), language]));

/** Returns which of our languages a tag means: `de-AT` is `de`, but `zh-TW` is none. Null for none, and for no tag. */
export function languageOf(tag: string | null): Language | null {
  if (tag === null || tag.length > LANGUAGE_MAX) return null;
  const known = MEANT.get(tag);
  if (known) return known.language;
  const language = BY_SCRIPT.get(written(tag)) ?? null;
  MEANT.set(tag, { language });
  return language;
}

/** Returns the language and the script of a tag, such as `pt-Latn`; '' for no tag. */
function written(tag: string) {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return '';
  }
}

const PREFERRED = new LRUCache<string, { tag: string | null }>({ max: REMEMBERED });

/**
 * Returns the language that a browser prefers, in lower case: the first one that is ours, else the first one. Null for
 * `*` and for none.
 * @param accepted the header Accept-Language (RFC 9110)
 */
export function preferredLanguage(accepted: string | undefined): string | null {
  if (accepted === undefined || accepted.length > LIST_MAX) return null;
  const known = PREFERRED.get(accepted);
  if (known) return known.tag;
  const tags = new Negotiator({ headers: { 'accept-language': accepted } }).languages();
  const found = tags.find((each) => languageOf(each) !== null) ?? tags.find((each) => written(each) !== '');
  const tag = found?.slice(0, LANGUAGE_MAX).toLowerCase() ?? null;
  PREFERRED.set(accepted, { tag });
  return tag;
}
