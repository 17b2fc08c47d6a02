/**
 * The arrows between the folders of src, as rules. A folder may use what stands on an earlier line,
 * never what stands on its own or a later one.
 */
const LINES = [
  ['shared'],
  ['config', 'logging'],
  ['database'],
  ['access', 'signing', 'outbound'],
  ['http'],
  ['limits', 'audit', 'sessions'],
  ['tokens'],
  ['accounts', 'forms'],
  ['clients'],
  ['people'],
  ['auth'],
];
/** They take submissions in and pass them on; they stand on forms, and beside clients and auth. */
const COLLECTING = [
  'files',
  'deliveries',
  'submissions',
  'pages',
  'intake',
  'mail',
  'webhooks',
  'warnings',
];
/** Nothing but the service's own start stands on these. */
const EDGES = ['health', 'docs', 'upkeep', 'doctor', 'metrics', 'backup', 'web', 'cli'];

const folders = (names) => `^src/(?:${names.join('|')})/`;

const arrows = LINES.flatMap((line, index) =>
  line.map((name) => ({
    name: `arrows-point-one-way-from-${name}`,
    comment: `${name} stands below what it reaches for here, or beside it; people send mails.`,
    severity: 'error',
    from: { path: folders([name]) },
    to: {
      path: folders([
        ...LINES.slice(index).flat(),
        ...COLLECTING.filter((other) => name !== 'people' || other !== 'mail'),
        ...EDGES,
      ]),
      pathNot: folders([name]),
    },
  })),
);

module.exports = {
  forbidden: [
    ...arrows,
    {
      name: 'arrows-point-one-way-from-collecting',
      comment: 'What takes submissions in knows forms; whose clients see them is told by a Scope.',
      severity: 'error',
      from: { path: folders(COLLECTING) },
      to: { path: folders(['clients', 'people', 'auth', ...EDGES]) },
    },
    {
      name: 'nobody-imports-the-edges',
      comment:
        'Only the program itself puts them in their places; the command line calls doctor and backup.',
      severity: 'error',
      from: { path: '^src/(\\w+)/', pathNot: '^src/cli/' },
      to: { path: folders(EDGES), pathNot: '^src/$1/' },
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
      comment:
        'app, main and their like put the modules together; only the command line does it again.',
      severity: 'error',
      from: { path: '^src/\\w+/', pathNot: '^src/cli/' },
      to: { path: '^src/[^/]+$' },
    },
    {
      name: 'access-has-no-entities',
      comment:
        'It says who may do what, in words that every module uses; it stores and serves nothing.',
      severity: 'error',
      from: { path: '^src/access/' },
      to: { path: '\\.(?:entity|repository|service|controller)\\.ts$|node_modules/typeorm/' },
    },
    {
      name: 'entities-know-no-layer-above',
      comment: 'Columns, invariants and facts; no framework, no input or output.',
      severity: 'error',
      from: { path: '\\.(?:entity|errors)\\.ts$' },
      to: {
        path: '\\.(?:service|repository|controller|module|dto)\\.ts$|node_modules/(?:@nestjs|(?:@types/)?express)/',
      },
    },
    {
      name: 'repositories-know-no-http',
      comment: 'They know SQL and turn driver errors into facts of the domain.',
      severity: 'error',
      from: { path: '\\.repository\\.ts$' },
      to: {
        path: '\\.(?:service|controller|dto)\\.ts$|^src/http/|node_modules/(?:@types/)?express/',
      },
    },
    {
      name: 'services-know-no-wire',
      comment: 'They take and return what the domain speaks of; the controller translates.',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: '\\.(?:controller|dto)\\.ts$|^src/http/|node_modules/(?:@types/)?express/' },
    },
    {
      name: 'controllers-go-through-services',
      comment: 'A controller that reads or writes rows has taken a decision that is not its own.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: '\\.repository\\.ts$|^src/database/|node_modules/(?:@nestjs/)?typeorm/' },
    },
    {
      name: 'modules-meet-at-the-door',
      comment: "Another module's service is its door; its repository and controller are its own.",
      severity: 'error',
      from: { path: '^src/(\\w+)/' },
      to: { path: '\\.(?:repository|controller)\\.ts$', pathNot: '^src/$1/' },
    },
    {
      name: 'wire-shapes-stay-in-their-module',
      comment: "http's are for all; clients show the tokens they issue in the shape of tokens.",
      severity: 'error',
      from: { path: '^src/(\\w+)/', pathNot: '^src/clients/client-tokens\\.controller\\.ts$' },
      to: { path: '\\.dto\\.ts$', pathNot: ['^src/$1/', '^src/http/'] },
    },
    {
      name: 'wire-shapes-of-tokens-only-for-clients',
      comment: 'The one exception to wire-shapes-stay-in-their-module.',
      severity: 'error',
      from: { path: '^src/clients/client-tokens\\.controller\\.ts$' },
      to: { path: '\\.dto\\.ts$', pathNot: '^src/(?:clients|tokens|http)/' },
    },
    {
      name: 'rows-of-others-are-named-not-made',
      comment:
        "Another module's entity may be named as a type, and joined in a query; its own service changes it.",
      severity: 'error',
      from: { path: '^src/(\\w+)/', pathNot: '\\.repository\\.ts$' },
      to: {
        path: '\\.entity\\.ts$',
        pathNot: '^src/$1/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'html-is-made-in-web-and-pages',
      comment: 'Everybody else hands over data.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(?:web|pages|mail)/' },
      to: { path: '\\.page\\.tsx?$|node_modules/preact' },
    },
    {
      name: 'pages-are-pure',
      comment: 'From data to HTML: a page asks nobody, so that it can be drawn from any data.',
      severity: 'error',
      from: { path: '\\.page\\.tsx$' },
      to: {
        path: '\\.(?:service|repository|controller)\\.ts$|node_modules/@nestjs/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sources-know-no-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^test/|\\.spec\\.ts$' },
    },
    {
      name: 'sources-need-no-development-tools',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '@types/' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment:
        'A file that nothing uses and that uses nothing is left over; browsers load theirs by name.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['\\.(?:spec|e2e-spec|fault-spec|d)\\.tsx?$', '^src/web/browser/'],
      },
      to: {},
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
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
