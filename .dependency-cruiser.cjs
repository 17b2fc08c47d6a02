/**
 * The rooms of src and the rules between them as sentences.
 * - platform knows no noun: it could serve another product;
 * - doors are how people and programs come in; nobody imports a door;
 * - operations are what an operator touches; only the status page and the command line import them;
 * - all others are nouns: what the product is about.
 */

/** From the ground up: a room may use rooms of lower floors, never of its own or a higher one. */
const FLOORS = [
  ['platform'],
  ['accounts', 'languages'],
  ['forms'],
  ['clients', 'spam', 'deliveries'],
  ['submissions'],
  ['triage', 'statistics'],
  ['mail', 'search'],
  ['jobs', 'people', 'health', 'visitor-pages'],
  ['destinations', 'moving', 'reports', 'intake', 'operations', 'docs'],
  ['web', 'mcp', 'cli'],
];
const DOORS = ['intake', 'visitor-pages', 'web', 'docs', 'mcp'];
const NOUNS = FLOORS.flat().filter((name) => !['platform', 'operations', 'cli', ...DOORS].includes(name));

/** The rooms around submissions: one query of theirs spans tables of several, so they read rows of those below. */
const AROUND_SUBMISSIONS = ['triage', 'statistics', 'search', 'jobs', 'moving'];

/** The folders of a room, by the same rule; `.` are its own files with their `dto`, but for its module. */
const INSIDE = {
  platform: [
    ['kernel'],
    ['config', 'logging', 'hooks', 'html'],
    ['metrics'],
    ['database'],
    ['background'],
    ['http-client', 'oidc', 'secrets', 'signals', 'signed-links'],
    ['http'],
    ['rate-limits'],
    ['.'],
  ],
  'platform/http': [['errors', 'requests'], ['bodies', 'sends', 'tls'], ['.']],
  'platform/kernel': [['text', 'time'], ['.']],
  accounts: [['access'], ['audit'], ['tokens'], ['.']],
  forms: [['model'], ['access'], ['.'], ['aliases']],
  clients: [['.'], ['hosts'], ['brands']],
  'clients/brands': [['model'], ['.']],
  spam: [
    ['evidence', 'history'],
    ['signals'],
    ['captcha', 'email-domain', 'external', 'judge', 'lists'],
    ['learning', 'proof-of-work'],
    ['.'],
  ],
  deliveries: [['model'], ['holds', 'queue'], ['digests'], ['.'], ['bounces']],
  'deliveries/bounces': [['model'], ['reading'], ['.']],
  submissions: [
    ['files', 'model'],
    ['filter'],
    ['rows'],
    ['acts', 'verdicts'],
    ['confirmations', 'storage', 'trash'],
    ['erasure'],
    ['.'],
    ['deliveries', 'edits', 'repeats'],
  ],
  'submissions/files': [['scans'], ['.']],
  triage: [['read-state'], ['marks'], ['assignees'], ['notes', 'presence'], ['timeline']],
  mail: [['parts', 'recipients'], ['messages'], ['.']],
  search: [['texts'], ['values'], ['finder', 'previews'], ['lines'], ['pages', 'origins', 'visitors'], ['inbox']],
  jobs: [['exports'], ['changes'], ['queue'], ['.']],
  people: [
    ['sessions', 'person'],
    ['members'],
    ['links'],
    ['sign-in'],
    ['credentials'],
    ['sign-in-methods'],
    ['invitations', 'profile', 'setup'],
    ['.'],
    ['auth'],
    ['saved-views'],
  ],
  health: [['watch'], ['canary'], ['.']],
  destinations: [['kinds'], ['model'], ['.']],
  moving: [['imports', 'moves']],
  'moving/moves': [['model'], ['reading'], ['.']],
  'moving/imports': [['formats'], ['model'], ['times'], ['columns'], ['files', 'reading'], ['.']],
  reports: [['fleet', '.']],
  intake: [['model'], ['dialects', 'encodings'], ['http'], ['.']],
  web: [
    ['addresses', 'assets', 'browser'],
    ['parts'],
    ['layout'],
    ['form-head'],
    ['kit'],
    ['audit', 'brand', 'deliveries', 'events', 'go-to', 'previews', 'settings'],
    ['activity', 'rows', 'sign-in', 'tokens'],
    ['account', 'jobs', 'reports'],
    ['imports', 'move', 'people', 'status', 'submission', 'visitors'],
    ['destinations', 'saved-views', 'spam'],
    ['forms'],
    ['clients', 'fleet'],
    ['inbox'],
    ['.'],
  ],
};

const folder = (names) => `^src/(?:${names.join('|')})/`;

/** A rule for each line: what it may not reach for is on the same line beside it, or on a later one. */
function upwards(lines, kind, path) {
  return lines.flatMap((line, index) =>
    line.map((name) => ({
      name: `${kind}-point-one-way-from-${name}`,
      comment: `${name} stands below what it reaches for here, or beside it.`,
      severity: 'error',
      from: { path: path([name]) },
      to: { path: path(lines.slice(index).flat()), pathNot: path([name]) },
    })),
  );
}

const OWN_FILES = '(?:dto/|(?!.*\\.module)[^/]+$)';

/** A rule for each folder of a room, as above; a file beside the room's folders is named by its end. */
function inside(name, lines) {
  const path = (folders) =>
    `^src/${name}/(?:${folders.map((each) => (each === '.' ? OWN_FILES : `${each}/`)).join('|')})`;
  return upwards(lines, `arrows-in-${name}`, path);
}

/** Folders that no line names. */
function unlisted(name, lines) {
  const listed = [...lines.flat(), 'dto'].filter((each) => each !== '.');
  return {
    name: `folders-of-${name}-are-listed`,
    comment: 'A new folder gets its place in INSIDE.',
    severity: 'error',
    from: {},
    to: { path: `^src/${name}/[^/]+/`, pathNot: `^src/${name}/(?:${listed.join('|')})/` },
  };
}

/** Files that say by their name what they are; the others are plain: rules and data of their noun. */
const MODULE = '^src/(?:(?:platform|operations)/)?([\\w-]+)/';
const OWN = '^src/(?:(?:platform|operations)/)?$1/';

/** Two rules for what is a module's own: the rooms around submissions may take it from rooms below among themselves. */
function own({ from: { path, pathNot = [] }, to, ...rule }) {
  const around = folder(AROUND_SUBMISSIONS);
  const { pathNot: open } = to;
  return [
    { ...rule, from: { path, pathNot: [pathNot, around].flat() }, to },
    {
      ...rule,
      name: `${rule.name}-around-submissions`,
      from: { path: around.replace('(?:', '('), pathNot },
      to: { ...to, pathNot: [open, folder(['submissions', ...AROUND_SUBMISSIONS])].flat() },
    },
  ];
}

module.exports = {
  forbidden: [
    ...upwards(FLOORS, 'arrows-between-rooms', folder),
    ...Object.entries(INSIDE).flatMap(([name, lines]) => [...inside(name, lines), unlisted(name, lines)]),
    {
      name: 'every-room-has-a-floor',
      comment: 'A new folder gets its place in FLOORS.',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: folder(FLOORS.flat()) },
    },
    {
      name: 'rooms-use-the-doors-of-the-platform',
      comment: 'Import from platform, platform/http or platform/database, not from a file behind them.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(?:platform|web/browser|visitor-pages/browser)/|\\.spec\\.tsx?$' },
      to: {
        path: '^src/platform/',
        pathNot:
          '^src/platform/(?:(?:http|database|database/migrations)/)?index\\.|\\.module\\.ts$|^src/platform/room\\.',
      },
    },
    {
      name: 'nobody-imports-a-door',
      comment:
        'A noun never asks who came through which door, and doors that need the same thing take it from a noun; visitor-pages shows what the others refuse, and docs has what there is to read.',
      severity: 'error',
      from: { path: '^src/([\\w-]+)/' },
      to: {
        path: folder(DOORS),
        pathNot: ['^src/$1/', '^src/(?:visitor-pages/pages|docs/(?:api-document|documentation))\\.'],
      },
    },
    {
      name: 'nobody-imports-operations',
      comment:
        'Only the program itself puts them in their places; the command line and the page of the operator call them.',
      severity: 'error',
      from: { path: '^src/([\\w-]+)/', pathNot: '^src/(?:operations|cli|web/status)/|^src/web/web\\.module\\.ts$' },
      to: { path: '^src/operations/' },
    },
    {
      name: 'operations-do-not-meet',
      comment: 'Each of them can be taken out by itself.',
      severity: 'error',
      from: { path: '^src/operations/([\\w-]+)/' },
      to: {
        path: '^src/operations/',
        pathNot: '^src/operations/$1/|^src/operations/(?:backup/scheduled-backups|doctor/doctor\\.service)\\.',
      },
    },
    {
      name: 'nobody-imports-the-command-line',
      comment: 'It is a program of its own on top of all modules.',
      severity: 'error',
      from: { pathNot: ['^src/cli/', '^test/support/command\\.ts$'] },
      to: { path: '^src/cli/' },
    },
    {
      name: 'nobody-imports-the-start',
      comment: 'app, main and their like put the modules together; only the command line does it again.',
      severity: 'error',
      from: { path: '^src/[\\w-]+/', pathNot: '^src/cli/' },
      to: { path: '^src/[^/]+$' },
    },
    {
      name: 'access-has-no-entities',
      comment: 'It says who may do what, in words that every module uses; it stores and serves nothing.',
      severity: 'error',
      from: { path: '^src/accounts/access/' },
      to: { path: '\\.(?:entity|repository|service|controller)\\.tsx?$|node_modules/typeorm/' },
    },
    {
      name: 'entities-know-no-layer-above',
      comment: 'Columns, invariants and facts; no framework, no input or output.',
      severity: 'error',
      from: { path: '\\.(?:entity|errors)\\.ts$' },
      to: {
        path: '\\.(?:service|repository|controller|module|dto|page)\\.tsx?$|node_modules/(?:@nestjs|(?:@types/)?express)/',
      },
    },
    {
      name: 'repositories-know-no-http',
      comment: 'They know SQL and turn driver errors into facts of the domain.',
      severity: 'error',
      from: { path: '\\.repository\\.ts$' },
      to: { path: '\\.(?:service|controller|dto|page)\\.tsx?$|^src/platform/http/|node_modules/(?:@types/)?express/' },
    },
    {
      name: 'only-repositories-touch-typeorm',
      comment: 'Whoever else needs rows asks a repository; a type may be named by all.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '\\.(?:repository|entity|module|spec)\\.ts$|^src/platform/(?:database|logging)/|^src/operations/backup/',
      },
      to: { path: 'node_modules/typeorm/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'services-know-no-wire',
      comment: 'They take and return what the domain speaks of; the controller translates.',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: '\\.(?:controller|dto|page)\\.tsx?$|^src/platform/http/|node_modules/(?:@types/)?express/' },
    },
    {
      name: 'plain-files-know-no-wire',
      comment:
        'A file without a role in its name holds rules and data of its noun: no request, no wire shape, no rows.',
      severity: 'error',
      from: { path: `${folder(NOUNS)}.*/?[\\w-]+\\.ts$`, pathNot: '/[\\w-]+\\.[\\w.]+\\.ts$' },
      to: { path: '\\.(?:controller|dto|page)\\.tsx?$|node_modules/(?:@types/)?express/' },
    },
    {
      name: 'controllers-go-through-services',
      comment: 'A controller that reads or writes rows has taken a decision that is not its own.',
      severity: 'error',
      from: { path: '\\.controller\\.tsx?$' },
      to: { path: '\\.repository\\.ts$|^src/platform/database/|node_modules/(?:@nestjs/)?typeorm/' },
    },
    ...own({
      name: 'modules-meet-at-the-door',
      comment: "Another module's service is its door; its repository and controller are its own.",
      severity: 'error',
      from: { path: MODULE },
      to: { path: '\\.(?:repository|controller)\\.tsx?$', pathNot: OWN },
    }),
    ...own({
      name: 'wire-shapes-stay-in-their-module',
      comment:
        "platform/http's are for all; clients show the tokens they issue in the shape of tokens, and forms that are made for them in that of forms, web checks what is typed by the API's shapes, previews take the settings of forms, and the fleet and reports are made of shapes of others.",
      severity: 'error',
      from: {
        path: MODULE,
        pathNot: [
          '^src/clients/client-tokens\\.controller\\.ts$',
          '^src/clients/brands/client-forms\\.controller\\.ts$',
          '^src/web/.*\\.controller\\.ts$',
          '^src/reports/.*\\.dto\\.ts$',
        ],
      },
      to: {
        path: '\\.dto\\.ts$',
        pathNot: [OWN, '^src/platform/http/', '^src/forms/dto/(?:form|settings|fields)\\.dto\\.ts$'],
      },
    }),
    {
      name: 'wire-shapes-of-tokens-only-for-clients',
      comment: 'The one exception to wire-shapes-stay-in-their-module.',
      severity: 'error',
      from: { path: '^src/clients/client-tokens\\.controller\\.ts$' },
      to: { path: '\\.dto\\.ts$', pathNot: '^src/(?:clients|accounts/tokens|platform/http)/' },
    },
    ...own({
      name: 'rows-of-others-are-named-not-made',
      comment: "Another module's entity may be named as a type, and joined in a query; its own service changes it.",
      severity: 'error',
      from: { path: MODULE, pathNot: '\\.repository\\.ts$' },
      to: { path: '\\.entity\\.ts$', pathNot: OWN, dependencyTypesNot: ['type-only'] },
    }),
    {
      name: 'html-is-made-by-doors-and-mail',
      comment: 'Markup is written where people see it: web, visitor-pages, docs, mail.',
      severity: 'error',
      from: { path: '^src/', pathNot: folder(['web', 'visitor-pages', 'docs', 'mail']) + '|\\.spec\\.tsx?$' },
      to: { path: 'node_modules/preact' },
    },
    {
      name: 'pages-are-pure',
      comment: 'Data in, markup out; what is shown is fetched by the controller.',
      severity: 'error',
      from: { path: '\\.page\\.tsx$' },
      to: {
        path: '\\.(?:service|repository|controller|module)\\.tsx?$|node_modules/(?:@nestjs|typeorm)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-talks-to-services',
      comment: 'Nothing can be done in the browser that the API cannot do.',
      severity: 'error',
      from: { path: '^src/web/' },
      to: {
        path: '\\.(?:repository|entity)\\.ts$|^src/platform/database/|node_modules/(?:@nestjs/)?typeorm/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sources-know-no-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.tsx?$' },
      to: { path: '^test/|\\.spec\\.tsx?$' },
    },
    {
      name: 'sources-need-no-development-tools',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.tsx?$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '@types/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      comment: 'A file that nothing uses and that uses nothing is left over.',
      severity: 'error',
      from: {
        orphan: true,
        // The last is named in a hook, in the place of a package.
        pathNot: ['\\.(?:spec|e2e-spec|fault-spec|d)\\.tsx?$', '^src/(?:web|visitor-pages)/browser/'],
      },
      to: {},
    },
    // What the build makes is there only after it; it is checked by the compiler.
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '(^|/)build/' } },
  ],
  options: {
    // Type imports count too: a service may not even name a DTO.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
