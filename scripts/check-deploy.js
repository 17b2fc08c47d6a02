import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseToml } from 'smol-toml';
import { parseAllDocuments, parseDocument } from 'yaml';
import { unit as debianUnit, writeControl } from './deb.js';

/**
 * Checks every file that an operator copies from `deploy`, with the program that reads it. A program that is not installed
 * leaves out its check, and a line says so.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const UNIT = 'form-collection-service.service';
/** Highest exposure that systemd may find in the unit, in tenths. */
const EXPOSURE_MAX = 25;
const COMPOSE = [
  'deploy/compose/compose.yml',
  'docker-compose.yml',
  'deploy/proxy/compose.traefik.yml',
  'deploy/coolify/compose.yaml',
];
const COMPOSE_KEYS = /^(?:name|services|volumes|x-.+)$/;
/** Keys of services that we use: a misspelt one is not here. */
const SERVICE_KEYS = [
  ...['build', 'cap_add', 'cap_drop', 'command', 'depends_on', 'env_file', 'environment'],
  ...['healthcheck', 'image', 'init', 'labels', 'logging', 'mem_limit', 'ports', 'profiles'],
  ...['read_only', 'restart', 'security_opt', 'stop_grace_period', 'tmpfs', 'volumes'],
];
/** Stands for keys that we name ourselves. */
const ANY = '*';
/** Files of platforms: the keys that we use of each, and what must be as the image has it. */
const PLATFORMS = {
  'deploy/coolify/compose.yaml': {
    parse: readYaml,
    volume: ({ services }) => services.forms.volumes[0].split(':')[1],
    health: ({ services }) => services.forms.healthcheck.test.slice(1),
    port: ({ services }) => Number(services.forms.environment[0].split('_').at(-1)),
    settings: ({ services }) => services.forms.environment.slice(1).map((one) => one.split('=')[0]),
  },
  'deploy/render/render.yaml': {
    parse: readYaml,
    keys: {
      services: {
        ...leaves('type name runtime dockerfilePath dockerContext plan numInstances autoDeployTrigger'),
        ...leaves('healthCheckPath maxShutdownDelaySeconds'),
        disk: leaves('name mountPath sizeGB'),
        envVars: { ...leaves('key value sync'), fromService: leaves('type name envVarKey') },
      },
    },
    volume: ({ services: [{ disk }] }) => disk.mountPath,
    health: ({ services: [{ healthCheckPath }] }) => healthCheckPath,
    settings: ({ services: [{ envVars }] }) => envVars.map(({ key }) => key),
    demands: ({ services: [{ name, numInstances, envVars }] }) => [
      [numInstances === 1, 'the embedded database is for one instance'],
      [envVars.every(({ fromService: it }) => !it || it.name === name), 'BASE_URL is that of another service'],
    ],
  },
  'deploy/fly/fly.toml': {
    parse: (path) => parseToml(read(path)),
    keys: {
      ...leaves('app primary_region kill_signal kill_timeout'),
      env: { [ANY]: true },
      mounts: leaves('source destination initial_size snapshot_retention'),
      http_service: {
        ...leaves('internal_port force_https auto_stop_machines auto_start_machines'),
        checks: leaves('method path interval timeout grace_period'),
      },
      vm: leaves('size memory'),
    },
    volume: ({ mounts: [{ destination }] }) => destination,
    health: ({ http_service: { checks } }) => checks[0].path,
    port: ({ http_service }) => http_service.internal_port,
    settings: ({ env }) => Object.keys(env),
    demands: ({ app, env, http_service }) => [
      [env.BASE_URL === `https://${app}.fly.dev`, 'BASE_URL is the address of another app'],
      [http_service.auto_stop_machines === 'off', 'a machine that sleeps sends nothing'],
    ],
  },
  'deploy/railway/railway.json': {
    parse: (path) => JSON.parse(read(path)),
    keys: {
      ...leaves('$schema'),
      build: leaves('builder dockerfilePath'),
      deploy: leaves('healthcheckPath healthcheckTimeout restartPolicyType drainingSeconds'),
    },
    health: ({ deploy }) => deploy.healthcheckPath,
  },
};
/** Values that compose files require. */
const REQUIRED = {
  FORMS_HOST: 'forms.example.com',
  ACCOUNT_EMAIL: 'owner@example.com',
  ACME_EMAIL: 'owner@example.com',
  SMTP_URL: 'smtp://mail.example.com',
  MAIL_FROM: 'forms@example.com',
};

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'fcs-deploy-'));
const problems = [];

/** Runs a program; what it finds wrong is a problem of the file. @returns what it says; null where it is not installed */
function run(file, program, ...words) {
  const env = { ...process.env, ...REQUIRED, PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder };
  const { error, status, stdout, stderr } = spawnSync(program, words, { env, encoding: 'utf8' });
  if (error?.code === 'ENOENT') {
    console.log(`${file}: skipped, since ${program} is not installed`);
    return null;
  }
  if (status !== 0) problems.push(`${file}: ${program} says:\n${stdout}${stderr}`);
  return stdout + stderr;
}

function checkUnits() {
  const path = `deploy/systemd/${UNIT}`;
  for (const text of [read(path), debianUnit()]) {
    const copy = join(folder, UNIT);
    // Its program is not installed here.
    writeFileSync(copy, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    const said = run(path, 'systemd-analyze', 'verify', '--man=no', copy);
    if (said === null) return;
    // An unknown key is only told.
    if (said.includes(UNIT)) problems.push(`${path}: ${said}`);
    run(path, 'systemd-analyze', 'security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, copy);
  }
}

function checkScripts() {
  const ours = [
    'deploy/systemd/fcs',
    ...['form-collection-service', 'postinst', 'prerm', 'postrm'].map((it) => `deploy/debian/${it}`),
  ];
  for (const path of ours) run(path, 'sh', '-n', join(ROOT, path));
}

/** Checks that `dpkg` takes what the Debian package says of itself, and that no other user can read its settings. */
function checkDebian() {
  const path = 'deploy/debian';
  const [stage, file] = ['debian', 'control.deb'].map((name) => join(folder, name));
  writeControl(stage, ['adduser'], 1);
  if (run(path, 'dpkg-deb', '--root-owner-group', '-Znone', '--build', stage, file) === null) return;
  const settings = run(path, 'dpkg-deb', '--contents', file)
    .split('\n')
    .find((line) => line.endsWith('.env'));
  if (!settings?.startsWith('-rw-r----- root/root')) problems.push(`${path}: the settings are not a secret`);
}

function checkNginx() {
  const path = 'deploy/proxy/nginx.conf';
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name));
  const named = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=forms.example.com'];
  if (run(path, 'openssl', 'req', '-x509', ...named, '-keyout', key, '-out', cert) === null) return;
  const server = read(path).replace(/(ssl_certificate(?:_key)?) \S+;/g, (_, name) => {
    return `${name} ${name.endsWith('key') ? key : cert};`;
  });
  writeFileSync(join(folder, 'server.conf'), server);
  const whole = `pid ${folder}/pid; error_log stderr; events {} http { access_log off; include ${folder}/server.conf; }`;
  writeFileSync(join(folder, 'nginx.conf'), whole);
  run(path, 'nginx', '-t', '-q', '-p', folder, '-c', join(folder, 'nginx.conf'));
}

function checkCaddy() {
  for (const path of ['deploy/proxy/Caddyfile', 'deploy/compose/Caddyfile']) {
    run(path, 'caddy', 'validate', '--adapter', 'caddyfile', '--config', join(ROOT, path));
  }
}

/** Reads a file of YAML; a key that is there twice is an error, too. */
function readYaml(path) {
  const document = parseDocument(read(path), { merge: true });
  for (const { message } of [...document.errors, ...document.warnings]) problems.push(`${path}: ${message}`);
  return document.toJS();
}

function checkCompose() {
  for (const path of COMPOSE) {
    const compose = readYaml(path);
    for (const key of Object.keys(compose).filter((it) => !COMPOSE_KEYS.test(it)))
      problems.push(`${path}: ${key} is no part of a compose file`);
    for (const [name, service] of Object.entries(compose.services)) {
      for (const key of Object.keys(service).filter((it) => !SERVICE_KEYS.includes(it)))
        problems.push(`${path}: ${name} has ${key}, which is not in SERVICE_KEYS`);
      for (const other of Object.keys(service.depends_on ?? {}))
        if (!Array.isArray(service.depends_on) && !(other in compose.services))
          problems.push(`${path}: ${name} depends on ${other}, which is not there`);
    }
    for (const [name, { volumes = [] }] of Object.entries(compose.services)) {
      const used = volumes.map((volume) => volume.split(':')[0]);
      for (const volume of used.filter((it) => !/^[./]/.test(it))) {
        if (!(volume in (compose.volumes ?? {})))
          problems.push(`${path}: ${name} uses the volume ${volume}, which is not declared`);
      }
    }
  }
  const [path] = COMPOSE;
  const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
  if (!hasCompose) console.log(`${path}: skipped, since docker compose is not installed`);
  else run(path, 'docker', 'compose', '--env-file', envFile(), '--file', join(ROOT, path), 'config');
}

/** Returns a `.env` as its example asks for. */
function envFile() {
  const path = join(folder, '.env');
  writeFileSync(
    path,
    Object.entries(REQUIRED)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  return path;
}

/** Names keys that have a value and no keys of their own. */
function leaves(names) {
  return Object.fromEntries(names.split(' ').map((name) => [name, true]));
}

/** Reads a file; what is no TOML or JSON is a problem of it. */
function tryTo(path, parse) {
  try {
    return parse(path);
  } catch (error) {
    problems.push(`${path}: ${error.message}`);
  }
}

/** Returns the paths of keys that are not known. */
function unknownKeys(value, known) {
  if (Array.isArray(value)) return value.flatMap((one) => unknownKeys(one, known));
  if (known === true || Object(value) !== value) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const inside = known[key] ?? known[ANY];
    return inside ? unknownKeys(inner, inside).map((path) => `${key}.${path}`) : [key];
  });
}

/** Checks that files of platforms have known keys alone, and the port, the folder and the health check of the image. */
function checkPlatforms() {
  const dockerfile = read('Dockerfile');
  const image = {
    volume: /DATA_DIR=(\S+)/.exec(dockerfile)[1],
    port: Number(/^EXPOSE (\d+)/m.exec(dockerfile)[1]),
    path: /path: '(.+)'/.exec(read('scripts/health-check.js'))[1],
    command: JSON.parse(/^HEALTHCHECK .*\n *CMD (.+)/m.exec(dockerfile)[1]),
    arguments: Array.from(dockerfile.matchAll(/^ARG (\w+)/gm), ([, name]) => name),
  };
  const known = new Set(Array.from(read('docs/settings.md').matchAll(/^\| `(\w+)`/gm), ([, name]) => name));
  if (/^VOLUME/m.test(dockerfile)) problems.push('Dockerfile: Railway refuses VOLUME');
  for (const [path, { parse, keys, volume, health, port, settings, demands }] of Object.entries(PLATFORMS)) {
    const demand = (holds, sentence) => {
      if (!holds) problems.push(`${path}: ${sentence}`);
    };
    const file = tryTo(path, parse);
    if (!file) continue;
    for (const key of keys ? unknownKeys(file, keys) : []) demand(false, `${key} is not a key in PLATFORMS`);
    demand(!volume || volume(file) === image.volume, `the volume is not on ${image.volume}`);
    demand(!port || port(file) === image.port, `the port is not ${image.port}`);
    const asks = health(file);
    demand([image.path, `${image.command}`].includes(`${asks}`), `${asks} is not how to ask for its health`);
    for (const name of settings?.(file) ?? [])
      demand(known.has(name) || image.arguments.includes(name), `${name} is not a setting`);
    for (const [holds, sentence] of demands?.(file) ?? []) demand(holds, sentence);
  }
}

/** Checks that the image starts as its user, also where root owns the volume. */
function checkStart() {
  const path = 'scripts/start-in-container.sh';
  const data = join(folder, 'data');
  mkdirSync(data);
  const said = run(path, 'env', `DATA_DIR=${data}`, 'sh', join(ROOT, path), 'id', '-u')?.trim();
  const user = process.getuid() === 0 ? 1000 : process.getuid();
  const owner = statSync(data).uid;
  if (said !== `${user}` || owner !== user)
    problems.push(`${path}: ${said} starts and ${owner} owns the data, not ${user}`);
}

/** Checks that the objects of Kubernetes find each other: none of them says so when it does not. */
function checkKubernetes() {
  const base = 'deploy/kubernetes';
  const names = readdirSync(join(ROOT, base)).filter((name) => name.endsWith('.yaml'));
  const objects = names.flatMap((name) => {
    return parseAllDocuments(read(`${base}/${name}`)).map((document) => {
      for (const { message } of document.errors) problems.push(`${base}/${name}: ${message}`);
      return document.toJS();
    });
  });
  const of = (kind) => objects.find((object) => object.kind === kind);
  const demand = (holds, sentence) => {
    if (!holds) problems.push(`${base}: ${sentence}`);
  };
  const [deployment, service, ingress] = ['Deployment', 'Service', 'Ingress'].map(of);
  const { selector, template } = deployment.spec;
  const { containers, volumes, securityContext } = template.spec;
  const [{ ports, volumeMounts, env, ...container }] = containers;
  const labels = JSON.stringify(template.metadata.labels);
  demand(JSON.stringify(selector.matchLabels) === labels, 'the Deployment selects other labels');
  demand(JSON.stringify(service.spec.selector) === labels, 'the Service selects other labels');
  const portNames = ports.map(({ name }) => name);
  const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].map((it) => container[it].httpGet);
  for (const port of [service.spec.ports[0].targetPort, ...probes.map((probe) => probe.port)])
    demand(portNames.includes(port), `no port of the container is called ${port}`);
  const { backend } = ingress.spec.rules[0].http.paths[0];
  demand(backend.service.name === service.metadata.name, 'the Ingress leads to no Service');
  demand(
    service.spec.ports.some(({ name }) => name === backend.service.port.name),
    'the Ingress leads to no port',
  );
  for (const { name } of volumeMounts)
    demand(
      volumes.some((volume) => volume.name === name),
      `there is no volume ${name}`,
    );
  for (const { persistentVolumeClaim, secret } of volumes) {
    if (persistentVolumeClaim)
      demand(persistentVolumeClaim.claimName === of('PersistentVolumeClaim').metadata.name, 'there is no such claim');
    if (secret) demand(secret.secretName === of('Secret').metadata.name, 'there is no such Secret');
  }
  for (const { name, value } of env.filter((it) => it.name.endsWith('_FILE'))) {
    const file = value.split('/').at(-1);
    demand(file in of('Secret').stringData, `${name} names a file that the Secret lacks`);
  }
  demand(
    env.find(({ name }) => name === 'BASE_URL').value === `https://${ingress.spec.rules[0].host}`,
    'BASE_URL is another host than that of the Ingress',
  );
  demand(
    securityContext.runAsNonRoot && container.securityContext.readOnlyRootFilesystem,
    'it runs with more rights than it needs',
  );
  run(base, 'kubeconform', '-strict', '-summary', join(ROOT, base));
}

try {
  checkUnits();
  checkScripts();
  checkDebian();
  checkNginx();
  checkCaddy();
  checkCompose();
  checkPlatforms();
  checkStart();
  checkKubernetes();
} finally {
  rmSync(folder, { recursive: true });
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
