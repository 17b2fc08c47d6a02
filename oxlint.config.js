import { defineConfig } from 'oxlint';

const LIFECYCLE = [
  'OnModuleInit',
  'OnModuleDestroy',
  'OnApplicationBootstrap',
  'BeforeApplicationShutdown',
  'OnApplicationShutdown',
];

/** Packages that read what strangers send, each behind the one file that bounds it. */
const ONE_DOOR = [
  { name: 'parse5', message: 'Read HTML by platform/html/read-html, which bounds it.' },
  { name: 're2js', message: 'Match by forms/model/field-pattern, which bounds what that takes.' },
  { name: 'postal-mime', message: 'Read mail by bounces/reading/mail-parts: this takes minutes for some.' },
];

const TEXT_ALONE = [
  {
    selector: 'JSXAttribute[name.name=/^on[A-Z]/]',
    message: 'Pages are text: what happens in the browser stands in src/web/browser.',
  },
];
/** Pages and what runs in them make markup of elements alone; nothing else escapes what people typed. */
const NO_RAW_HTML = [
  'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
  'Property[key.name="dangerouslySetInnerHTML"]',
  'AssignmentExpression > MemberExpression.left[property.name=/^(?:innerHTML|outerHTML|srcdoc)$/]',
  'CallExpression[callee.property.name=/^(?:insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|writeln)$/]',
  'CallExpression[callee.object.name="document"][callee.property.name="write"]',
].map((selector) => ({ selector, message: 'Give text or elements; both are escaped.' }));
const NO_STYLE = {
  selector: 'JSXAttribute[name.name="style"]',
  message: 'The policy refuses inline styles; give it a class.',
};

/** A function that returns a promise, is not async and throws. */
const THROWN_AT_ONCE = ['', ' > IfStatement', ' > IfStatement > BlockStatement'].map((inside) => ({
  selector: `:function[async=false][returnType.typeAnnotation.typeName.name='Promise'] > BlockStatement${inside} > ThrowStatement`,
  message: 'Make the function async, so that its caller gets a rejected promise.',
}));

/** Makes rules of the names that stand in a text. */
const all = (prefix, names, severity = 'error') =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [`${prefix}/${name}`, severity]),
  );

/** Rules that need to know what type something has. */
const TYPED = `
  await-thenable dot-notation no-array-delete no-base-to-string no-confusing-void-expression no-deprecated
  no-duplicate-type-constituents no-floating-promises no-for-in-array no-implied-eval no-meaningless-void-operator
  no-misused-promises no-misused-spread no-mixed-enums no-redundant-type-constituents
  no-unnecessary-boolean-literal-compare no-unnecessary-condition no-unnecessary-template-expression
  no-unnecessary-type-arguments no-unnecessary-type-assertion no-unnecessary-type-conversion
  no-unnecessary-type-parameters no-unsafe-argument no-unsafe-assignment no-unsafe-call no-unsafe-enum-comparison
  no-unsafe-member-access no-unsafe-return no-unsafe-unary-minus no-useless-default-assignment
  non-nullable-type-assertion-style only-throw-error prefer-find prefer-includes prefer-nullish-coalescing
  prefer-optional-chain prefer-promise-reject-errors prefer-reduce-type-parameter prefer-regexp-exec
  prefer-return-this-type prefer-string-starts-ends-with related-getter-setter-pairs require-await
  restrict-plus-operands restrict-template-expressions return-await switch-exhaustiveness-check unbound-method
  use-unknown-in-catch-callback-variable`;
/** Rules that look at what is written alone. */
const UNTYPED = `
  adjacent-overload-signatures array-type ban-ts-comment ban-tslint-comment class-literal-property-style
  consistent-generic-constructors consistent-indexed-object-style consistent-type-assertions
  consistent-type-definitions no-confusing-non-null-assertion no-duplicate-enum-values
  no-dynamic-delete no-empty-object-type no-explicit-any no-extra-non-null-assertion no-extraneous-class
  no-inferrable-types no-invalid-void-type no-misused-new no-namespace no-non-null-asserted-nullish-coalescing
  no-non-null-asserted-optional-chain no-non-null-assertion no-require-imports no-this-alias
  no-unnecessary-type-constraint no-unsafe-declaration-merging no-unsafe-function-type no-wrapper-object-types
  prefer-as-const prefer-for-of prefer-function-type prefer-literal-enum-member prefer-namespace-keyword
  triple-slash-reference unified-signatures`;
/** Rules about `any`. What supertest and JSON.parse hand out is `any`; the expectations are what checks it. */
const OF_ANY = `no-unsafe-argument no-unsafe-assignment no-unsafe-call no-unsafe-member-access no-unsafe-return`;

export default defineConfig({
  plugins: ['typescript'],
  jsPlugins: [
    'eslint-plugin-regexp',
    './scripts/lint-rules.js',
    { name: 'eslint-js', specifier: 'oxlint-plugin-eslint' },
  ],
  categories: { correctness: 'off' },
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['build', 'dist', 'data', 'coverage'],
  rules: {
    ...all('typescript', TYPED + UNTYPED),
    'no-array-constructor': 'error',
    'no-empty-function': 'error',
    'no-unused-expressions': 'error',
    'no-useless-constructor': 'error',
    // Naming a property with `_` in a destructuring is how it is left out of the rest.
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    // A Nest module is a class whose whole content is its decorator.
    'typescript/no-extraneous-class': ['error', { allowWithDecorator: true }],
    'typescript/restrict-plus-operands': [
      'error',
      {
        ...{ allowAny: false, allowBoolean: false, allowNullish: false },
        ...{ allowNumberAndString: false, allowRegExp: false },
      },
    ],
    'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    // Text from outside may be as long as a limit allows: what reads it takes time in proportion.
    'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
    'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    'own/docstrings': 'error',
    'own/type-imports': 'error',
  },
  overrides: [
    {
      // A merged migration is never edited.
      files: ['src/platform/database/migrations/*.ts'],
      rules: { 'own/docstrings': 'off' },
    },
    {
      files: ['src/**/*.{ts,tsx}'],
      rules: {
        'max-lines': ['warn', 400],
        'own/constructor-arguments': 'error',
        'no-restricted-properties': [
          'error',
          { object: 'process', property: 'env', message: 'Inject Config; it alone reads settings.' },
          {
            property: 'normalize',
            message: 'Call normalise() of platform/kernel, whose time grows with the text only.',
          },
          {
            object: 'URL',
            property: 'canParse',
            message: 'Call parseUrl() of platform/kernel, which tells the same however often it runs.',
          },
        ],
        'no-restricted-imports': ['error', { paths: ONE_DOOR }],
      },
    },
    {
      files: [
        'src/platform/config/config.ts',
        'src/platform/kernel/text/text.ts',
        'src/visitor-pages/browser/proof-of-work.ts', // runs in browsers, which have the API without the fault
        'src/**/*.spec.ts',
      ],
      rules: { 'no-restricted-properties': 'off' },
    },
    {
      files: ['src/platform/html/read-html.ts', 'src/forms/model/field.ts', 'src/**/*.spec.{ts,tsx}'],
      rules: { 'no-restricted-imports': 'off' },
    },
    {
      // A function that returns a promise rejects it: `async` turns what is thrown into a rejection.
      files: ['src/**/*.ts'],
      rules: { 'eslint-js/no-restricted-syntax': ['error', ...THROWN_AT_ONCE, ...NO_RAW_HTML] },
    },
    {
      // Plain http to a provider is marked as deprecated so that nobody uses it unawares; the settings
      // take it for a provider on the same machine alone.
      files: ['src/platform/oidc/oidc-client.ts'],
      rules: { 'typescript/no-deprecated': 'off' },
    },
    {
      // A DTO is spelled as on the wire, so that validation and OpenAPI name the real field.
      files: ['src/**/*.dto.ts'],
      rules: {
        'eslint-js/no-restricted-syntax': [
          'error',
          {
            selector: 'PropertyDefinition[static=false] > Identifier.key[name=/[A-Z]/]',
            message: 'Name it in snake_case, as on the wire.',
          },
          ...THROWN_AT_ONCE,
          ...NO_RAW_HTML,
        ],
      },
    },
    {
      files: ['src/**/*.{service,entity,errors}.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            paths: [
              ...ONE_DOOR,
              {
                name: '@nestjs/common',
                allowImportNames: ['Injectable', 'Logger', ...LIFECYCLE],
                message: 'Throw a domain error; the filter speaks HTTP.',
              },
            ],
          },
        ],
      },
    },
    // The policy of pages allows no script and no style in a page; what a visitor typed is text.
    {
      files: ['src/**/*.tsx'],
      rules: { 'eslint-js/no-restricted-syntax': ['error', ...TEXT_ALONE, ...NO_RAW_HTML, NO_STYLE] },
    },
    // Programs for mail drop style sheets, so the layout of mails writes its styles into the elements.
    {
      files: ['src/mail/parts/layout.tsx'],
      rules: { 'eslint-js/no-restricted-syntax': ['error', ...TEXT_ALONE, ...NO_RAW_HTML] },
    },
    { files: ['test/**/*.ts'], rules: all('typescript', OF_ANY, 'off') },
    // Plain JavaScript has no types to check.
    { files: ['**/*.{js,cjs}'], rules: all('typescript', TYPED, 'off') },
  ],
});
