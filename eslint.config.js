import prettier from 'eslint-config-prettier/flat';
import regexp from 'eslint-plugin-regexp';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

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
  {
    name: 'postal-mime',
    message: 'Read mail by bounces/reading/mail-parts: this takes minutes for some.',
  },
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

/** Refuses docstrings that begin with a clause, such as "What a form shows". */
const docstrings = {
  rules: {
    'begin-with-verb-or-noun': {
      create: (context) => ({
        Program() {
          for (const { type, value, loc } of context.sourceCode.getAllComments()) {
            if (type === 'Block' && /^\*[\s*]*(?:What|Whoever|Who|Of|To|That)\b/.test(value)) {
              const message = 'Begin with a verb, such as "Returns", or name the thing.';
              context.report({ loc, message });
            }
          }
        },
      }),
    },
  },
};

export default defineConfig(
  { ignores: ['build', 'dist', 'data', 'coverage', 'node_modules'] },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  prettier,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { noInlineConfig: true },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Naming a property with `_` in a destructuring is how it is left out of the rest.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // A Nest module is a class whose whole content is its decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // It flags `FormDto.of`, which returns a literal of the class's shape: the list of what leaves.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    // Text from outside may be as long as a limit allows: what reads it takes time in proportion.
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    plugins: { docstrings },
    rules: { 'docstrings/begin-with-verb-or-noun': 'error' },
  },
  {
    // A merged migration is never edited.
    files: ['src/platform/database/migrations/*.ts'],
    rules: { 'docstrings/begin-with-verb-or-noun': 'off' },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      'max-lines': ['error', 250],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Inject Config; it alone reads settings.' },
        {
          property: 'normalize',
          message: 'Call normalise() of platform/kernel, whose time grows with the text only.',
        },
      ],
    },
  },
  {
    files: [
      'src/platform/config/load-config.ts',
      'src/platform/kernel/text/normalise.ts',
      'src/**/*.spec.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/platform/html/read-html.ts', 'src/forms/model/field-pattern.ts', '**/*.spec.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: ONE_DOOR }] },
  },
  {
    // A function that returns a promise rejects it: `async` turns what is thrown into a rejection.
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['', ' > IfStatement', ' > IfStatement > BlockStatement'].map((inside) => ({
          selector: `:function[async=false][returnType.typeAnnotation.typeName.name='Promise'] > BlockStatement${inside} > ThrowStatement`,
          message: 'Make the function async, so that its caller gets a rejected promise.',
        })),
        ...NO_RAW_HTML,
      ],
    },
  },
  {
    // Plain http to a provider is marked as deprecated so that nobody uses it unawares; the settings
    // take it for a provider on the same machine alone.
    files: ['src/platform/oidc/oidc-client.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    // A DTO is spelled as on the wire, so that validation and OpenAPI name the real field.
    files: ['src/**/*.dto.ts'],
    rules: {
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'classProperty', format: ['snake_case'] },
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
    rules: { 'no-restricted-syntax': ['error', ...TEXT_ALONE, ...NO_RAW_HTML, NO_STYLE] },
  },
  // Programs for mail drop style sheets, so the layout of mails writes its styles into the elements.
  {
    files: ['src/mail/parts/layout.tsx'],
    rules: { 'no-restricted-syntax': ['error', ...TEXT_ALONE, ...NO_RAW_HTML] },
  },
  {
    // What supertest and JSON.parse hand out is `any`; the expectations are what checks it.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
  {
    // A program whose types alone matter.
    files: ['test/docs/generated-client.ts'],
    rules: {
      '@typescript-eslint/no-unused-vars': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  // Plain JavaScript has no types to check.
  { files: ['**/*.{js,cjs}'], extends: [tseslint.configs.disableTypeChecked] },
);
