import { broken } from './broken.js';

/** Rules about what visitors meet. */
export default [
  ...broken('src/intake/submission-source.ts', 'e2e languages', {
    'the language that a page names comes before the one of the browser': [
      '(languageOf(language) && language?.toLowerCase()) ?? preferredLanguage',
      'preferredLanguage',
    ],
  }),
  ...broken('src/forms/model/form-language.ts', 'e2e languages', {
    'the language that a form chooses comes before all others': [
      'languageOf(form?.language ?? null) ?? languageOf(tag)',
      'languageOf(tag) ?? languageOf(form?.language ?? null)',
    ],
    'texts of an owner are told in the language of the visitor': [
      'if (own !== undefined) return own;',
      'if (own === null) return own;',
    ],
  }),
  ...broken('src/languages/words.ts', 'e2e languages', {
    'a language in other letters is another one': ['return `${language}-${script}`', 'return `${language}`'],
    'a value in another direction is isolated': ["this.dir === 'rtl' || RTL_LETTER.test(value)", 'false'],
  }),
  ...broken('src/visitor-pages/visitor-pages.controller.ts', 'e2e form-page', {
    'a form has no page until its owner turns it on': ['if (PAGE.of(form).enabled) {', 'if (PAGE.of(form)) {'],
  }),
  ...broken('src/visitor-pages/pages.ts', 'e2e form-page', {
    'only the websites of a form frame its page': ["return '*';\n  return [\"'self'\"", "return '*';\n  return ['*'"],
  }),
  ...broken('src/spam/signals/origin.ts', 'e2e form-page', {
    'the page of a form takes submissions, whatever its websites are': ['isOwnPage || allowsOrigin', 'allowsOrigin'],
  }),
  ...broken('src/deliveries/deliveries.service.ts', 'e2e visitor-mail', {
    'a visitor is asked again once a minute at most': ['< ASK_AGAIN_MS) return false', '< 0) return false'],
    'a visitor is asked again a few times at most': ['found.attempts.length >= ASKED_MAX', 'found.attempts.length < 0'],
  }),
];
