// The rules of `architecture.test.ts` as data, and the reader that finds breaches of them in sources given as text.
import path from 'node:path';

/** A file below `src/`, by its path there. */
export type Source = Readonly<{ file: string; text: string }>;

export type Breach = Readonly<{
  rule:
    | 'rooms'
    | 'doors'
    | 'effects'
    | 'process'
    | 'pure'
    | 'opening'
    | 'length'
    | 'names'
    | 'circles'
    | 'node';
  file: string;
  says: string;
}>;

/** Whatever lies in no folder, but for `main` and `run`, and the facts: all may import it, and it knows nothing of any room. */
function isShared(file: string): boolean {
  return !/^(?:main|run)\.ts$/.test(file) && (!file.includes('/') || file.startsWith('event/'));
}

const peers = ['plan', 'prompt', 'agent', 'check', 'proof', 'git', 'journal', 'config', 'control', 'finding'];
const ofWork = ['ground', 'place', ...peers];
const ofPhase = ['work', 'trust', 'forge', ...ofWork];

/**
 * Which rooms a room may import values from, beside what is shared and itself. `import type` is free.
 * main and cli may use everything; start makes a run and wires it; run tells the story through phases; the rooms below are
 * peers that don't know each other.
 */
const mayImport: Readonly<Record<string, readonly string[] | 'all'>> = {
  main: 'all',
  cli: 'all',
  start: ['run', 'phase', 'process', 'sandbox', 'report', 'notify', 'telemetry', 'fleet', 'demo', ...ofPhase],
  web: ['start', 'journal', 'control', 'report', 'config', 'process'],
  run: ['phase', 'work'],
  phase: ofPhase,
  work: ofWork,
  ground: ['git'],
  place: [],
  trust: ['agent', 'config'],
  agent: ['process'],
  check: ['process', 'git'],
  proof: ['check', 'git'],
  git: ['process'],
  forge: ['process'],
  sandbox: ['process'],
  plan: [],
  finding: [],
  prompt: [],
  journal: ['process'],
  config: [],
  control: [],
  report: ['journal'],
  notify: ['journal', 'report'],
  telemetry: [],
  fleet: [],
  process: [],
  demo: [],
};

/** One library, one door. */
const doors: Readonly<Record<string, RegExp>> = {
  execa: /^process\/spawn\.ts$/,
  // A dialogue hands the terminal over to an editor; the scripted agent and the tunnel are programs of their own.
  'node:child_process':
    /^(process\/|start\/dialogue\/lines\.ts$|sandbox\/tunnel-main\.ts$|demo\/(?!demo-script))/,
  pino: /^(journal\/journal|start\/debug-log)\.ts$/,
  unified: /^plan\/(?:markdown|lint|lint\/rule)\.ts$/,
  'unist-util-visit': /^plan\//,
  'mdast-util-to-string': /^plan\//,
  vfile: /^plan\/lint\.ts$/,
  'remark-parse': /^plan\/markdown\.ts$/,
  'mdast-util-gfm-task-list-item': /^plan\/markdown\.ts$/,
  'micromark-extension-gfm-task-list-item': /^plan\/markdown\.ts$/,
  'simple-git': /^git\/porcelain\.ts$/,
  picomatch: /^glob\.ts$/,
  diff: /^(?:plan\/line-diff|proof\/(?:bent|hunks))\.ts$/,
  'fastest-levenshtein': /^(?:nearest|plan\/attributes)\.ts$/,
  'get-east-asian-width': /^width\.ts$/,
  commander: /^cli\//,
  ...Object.fromEntries(
    ['api', 'resources', 'sdk-trace', 'exporter-trace-otlp-http', 'exporter-trace-otlp-proto'].map((name) => [
      `@opentelemetry/${name}`,
      /^telemetry\/telemetry\.ts$/,
    ]),
  ),
  pg: /^fleet\/(?:database|signal)\.ts$/,
  nodemailer: /^notify\/deliver\.ts$/,
  '@clack/prompts': /^(cli|start)\//,
  '@bomb.sh/tab': /^cli\/completions\.ts$/,
  hono: /^web\//,
  '@hono/node-server': /^web\//,
  preact: /^web\/page\//,
  '@preact/signals': /^web\/page\//,
  uqr: /^web\/address\.ts$/,
};

/** All but the question of a lock whether its holder lives, by signal 0. */
const ofProcess = /\bprocess\.(?!kill\(holder\.pid, 0)(?:env|exit|on|argv|chdir|kill|execPath|cwd)\b/;

/** Programs of their own, started beside pawl: they have a process and its environment like main. */
const programs = /^(main\.ts|process\/run-watchdog-main\.ts|sandbox\/tunnel-main\.ts|demo\/.*)$/;

/**
 * Files that judge, parse, fold or word, by their folder: no file system, no clock, no chance. `*`: all files of the
 * folder. Beside those that say so.
 */
const pure: Readonly<Record<string, string>> = {
  '.': 'aborted agent-name below defined digest dollars duration event failure glob nearest or-else parse-json shell-word shorten',
  agent: 'adapter agent agents fallback json-value marker',
  'agent/claude': 'claude read-line read-system',
  'agent/codex': 'app-server read-notice',
  'agent/script': 'adapter',
  'agent/session': 'judge-outcome outcome-words session-state turn-transcript',
  check: 'absent check-run classes evidence telling-line',
  config: 'agent-settings form layer meanings schema setting-keys stages text-layer yaml-layer',
  control: 'key request',
  event: '*',
  finding: '*',
  fleet: 'database-error job',
  forge: 'forge',
  'git/tree': 'secret',
  journal:
    'changes fold fold-checks fold-life fold-place fold-review fold-spending fold-task ' +
    'fold-waits fold-works ledger mask state task-state',
  notify: 'address channel means message occasion',
  'notify/service': '*',
  'phase/planning': 'dialogue-step',
  'phase/publish': 'judge-ci',
  'phase/review': 'judge-review',
  'phase/steer': '*',
  place: '*',
  plan:
    'attributes draft headings judge-replan line-diff lint markdown markdown-commands missing outline parse plan ' +
    'plan-name question settings steps task text-position tick',
  'plan/formats': 'foreign',
  'plan/import': '*',
  'plan/lint': '*',
  'plan/width': '*',
  prompt: 'dialogue-prompts prompts review-prompts template',
  proof:
    'bent change ground-trials hollow judge-counts lab put-back read-change task-proof try-definitions try-hunks',
  'report/events': '*',
  'report/findings': '*',
  'report/receipt': '*',
  'report/stats': '*',
  'report/status': '*',
  'report/terminal': 'live status-line',
  'report/text': '*',
  'report/view': '*',
  sandbox: 'docker-args egress env-passthrough',
  'start/fleet': 'judge-end',
  'start/propose': '*',
  telemetry: 'attributes read-telemetry spans trace',
  trust: 'trust trust-lines',
  web: 'address command-line make-parts view',
  work: 'count',
  'work/budget': 'budget',
  'work/close': 'commit-message',
  'work/judge': '*',
  'work/session': 'continuation',
};

function isPure(file: string): boolean {
  const names = pure[path.posix.dirname(file)]?.split(' ') ?? [];
  return names.includes('*') || names.includes(path.posix.basename(file, '.ts'));
}

/** Who says so of itself in its opening is held to it. */
const saysPure = /^(?:\/\/.*\n)*\/\/(?: |.* )Pure[.;]/;

const writers =
  /\b(writeFile|writeFileSync|appendFileSync|rename|renameSync|rm|rmSync|unlink|unlinkSync|mkdir|mkdirSync|copyFile|copyFileSync|cp|cpSync|truncate|truncateSync|symlink|symlinkSync|chmodSync|ftruncateSync|createWriteStream)\b/;

/** Files that write without the door, each with its reason. */
const writesItself: Readonly<Record<string, string>> = {
  'disk.ts': 'each of its steps is an effect',
  'write-file.ts': 'each of its writes is an effect',
  'agent/session/output-reader.ts': 'the raw record, which no resume decides by',
  'process/head-tail-buffer.ts': 'the whole output of a check is a stream that nothing decides by',
  'start/reporters.ts':
    'the summary of a step is a file of GitHub’s, which is appended to inside an effect of its own',
  'journal/journal.ts': 'it cuts a torn line inside an effect of its own',
  'journal/lock.ts': 'a dead lock is removed only as the one that was read, inside an effect of its own',
  'git/tree/entry.ts': 'it puts modes back inside an effect of its own',
  'ground/clone-installed.ts': 'it copies a whole folder inside one effect',
  'git/tree/index-file.ts': 'it copies index files of its own, which git rebuilds',
  'plan/file.ts': 'it keeps the mode of the file it replaces',
};

/** Names that say nothing about what a file holds. */
const drawers = /(?:^|\/)(utils?|helpers?|core|common|misc|types|index|manager|services?|engine)\.ts$/;

const longest = 250;

/** What later versions than the oldest that package.json names have brought, V8's and Node's: the types know them all. */
const tooNew =
  /\b((?:Async)?DisposableStack|SuppressedError|Float16Array|URLPattern|Promise\.try|RegExp\.escape|Error\.isError|Iterator\.(?:concat|zip)|Math\.(?:sumPrecise|f16round)|Uint8Array\.from(?:Base64|Hex)|Intl\.DurationFormat|Atomics\.pause|(?:to|setFrom)(?:Base64|Hex)\(|getOrInsert(?:Computed)?\()|\(\?[ims]+(?:-[ims]+)?:/;

/** Every breach of every rule. */
export function findBreaches(sources: readonly Source[]): readonly Breach[] {
  return [...sources.flatMap(breachesOf), ...findCircles(sources)];
}

/** What the rules name and the sources no longer have: files, folders, rooms, libraries. */
export function findStaleNames(sources: readonly Source[]): readonly string[] {
  const files = new Set(sources.map(({ file }) => file));
  const folders = new Set([...files].map((file) => path.posix.dirname(file)));
  const rooms = new Set([...files].map(roomOf));
  const libraries = new Set(
    sources.flatMap(({ text }) => readImports(text).flatMap(({ from }) => [from, libraryOf(from)])),
  );
  const isFile = (folder: string, name: string) =>
    name === '*' ? folders.has(folder) : files.has(path.posix.join(folder, `${name}.ts`));
  return [
    ...Object.entries(pure).flatMap(([folder, names]) =>
      names.split(' ').flatMap((name) => (isFile(folder, name) ? [] : [`${folder}/${name}`])),
    ),
    ...Object.keys(writesItself).filter((file) => !files.has(file)),
    ...[...Object.keys(mayImport), ...Object.values(mayImport).flat()].filter(
      (room) => room !== 'all' && !rooms.has(room),
    ),
    ...Object.keys(doors).filter((library) => !libraries.has(library)),
  ];
}

/** Tests of several files that have one subject. */
const ofSeveral = ['cli/look'];

/** Tests, by their paths below `test/`, that are not named for a file of `src/`, or an aspect of one, or their folder. */
export function findStrayTests(tests: readonly string[], sources: readonly Source[]): readonly string[] {
  const files = new Set(sources.map(({ file }) => file.replace(/\.tsx?$/, '')));
  return tests.filter((test) => {
    const name = test.replace(/\.test\.ts$/, '');
    if (!name.includes('/') || ofSeveral.includes(name)) return false;
    const [folder, words] = [path.posix.dirname(name), path.posix.basename(name).split('-')];
    const subjects = words.map((_, at) => path.posix.join(folder, words.slice(0, at + 1).join('-')));
    return !subjects.some((subject) => files.has(subject)) && path.posix.basename(folder) !== words.join('-');
  });
}

function libraryOf(from: string): string {
  return from.startsWith('@') ? from.split('/').slice(0, 2).join('/') : (from.split('/')[0] ?? '');
}

function breachesOf(source: Source): readonly Breach[] {
  const { file, text } = source;
  const code = stripComments(text);
  const say = (rule: Breach['rule'], says: string): Breach => ({ rule, file, says });
  const imports = readImports(code);
  return [
    ...imports.flatMap(({ from, isType }) =>
      isType ? [] : roomBreach(file, from).map((says) => say('rooms', says)),
    ),
    ...imports.flatMap(({ from }) => doorBreach(file, from).map((says) => say('doors', says))),
    ...imports.flatMap(({ from, names }) =>
      /^node:fs/.test(from) &&
      writers.test(names) &&
      writesItself[file] === undefined &&
      !file.startsWith('demo/')
        ? [
            say(
              'effects',
              `writes by ${writers.exec(names)?.[0]}: durable changes go through disk.ts and write-file.ts`,
            ),
          ]
        : [],
    ),
    ...(ofProcess.test(code) && !programs.test(file) && !/^process\//.test(file)
      ? [say('process', 'the process belongs to main.ts; it is handed down')]
      : []),
    ...(isPure(file) || saysPure.test(text)
      ? pureBreach(code, imports).map((says) => say('pure', says))
      : []),
    ...(/^(#!.*\n)?\/\/ \S/.test(text) ? [] : [say('opening', 'a file opens with what it knows')]),
    ...(text.split('\n').length > longest + 1
      ? [say('length', `more than ${longest} lines: it holds two ideas`)]
      : []),
    ...(tooNew.test(code) ? [say('node', `uses ${tooNew.exec(code)?.[0]}, which Node 22.18 has not`)] : []),
    ...(drawers.test(file) ? [say('names', 'a drawer: name it for what it holds')] : []),
  ];
}

function roomBreach(file: string, from: string): readonly string[] {
  const to = resolve(file, from);
  if (to === undefined) return [];
  const [here, there] = [roomOf(file), roomOf(to)];
  const allowed = mayImport[here] ?? (isShared(file) ? [] : undefined);
  if (allowed === undefined) return [`${here} is no room of the map`];
  if (allowed === 'all' || here === there || isShared(to) || allowed.includes(there)) return [];
  return [`${here} may not import ${there} (${to})`];
}

function doorBreach(file: string, from: string): readonly string[] {
  const door = doors[from] ?? doors[libraryOf(from)];
  return door === undefined || door.test(file) ? [] : [`${from} has its door elsewhere`];
}

function pureBreach(code: string, imports: readonly Import[]): readonly string[] {
  const outside = imports.filter(
    ({ from, isType }) => !isType && from.startsWith('node:') && !/^node:(path|util|crypto)$/.test(from),
  );
  const touches =
    /\b(Date\.now|new Date\(\)|Math\.random|performance\.now|randomBytes|setTimeout|setInterval|(?<![-/])process\.)/.exec(
      code,
    );
  return [
    ...outside.map(({ from }) => `pure, but imports ${from}`),
    ...(touches ? [`pure, but uses ${touches[0]}`] : []),
  ];
}

/** Files and folders that lead back to themselves by values or types, lazily too: neither can be read, or moved, without the other. */
function findCircles(sources: readonly Source[]): readonly Breach[] {
  const arrows = sources.map(({ file, text }) => ({
    file,
    to: readImports(stripComments(text)).flatMap(({ from }) => resolve(file, from) ?? []),
  }));
  return [
    ...circlesIn(new Map(arrows.map(({ file, to }) => [file, to]))),
    ...circlesIn(folderArrows(arrows)),
  ];
}

/** A room's own files stand beside its sub-folders. */
function folderArrows(
  arrows: readonly Readonly<{ file: string; to: readonly string[] }>[],
): ReadonlyMap<string, readonly string[]> {
  const placeOf = (file: string): string => (file.split('/').length > 2 ? path.posix.dirname(file) : file);
  const graph = new Map<string, string[]>();
  for (const { file, to } of arrows) {
    const [here, there] = [placeOf(file), to.map(placeOf)];
    graph.set(here, [...(graph.get(here) ?? []), ...there.filter((place) => place !== here)]);
  }
  return graph;
}

function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly Breach[] {
  return [...graph.keys()].flatMap((file) => {
    const seen = new Set<string>();
    const queue = [...(graph.get(file) ?? [])];
    for (const next of queue) {
      if (next === file) return [{ rule: 'circles' as const, file, says: 'imports itself by way of others' }];
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...(graph.get(next) ?? []));
    }
    return [];
  });
}

type Import = Readonly<{ from: string; names: string; isType: boolean }>;

function readImports(code: string): readonly Import[] {
  const still = /^(?:import|export)\s+(type\s+)?([^;'"]*?)\s*from\s*'([^']+)'/gm;
  const named = [...code.matchAll(still)].map(([, type, names = '', from = '']) => ({
    from,
    names,
    isType: type !== undefined || /^\{(?:\s*type [\w\s]+,?)+\s*\}$/.test(names),
  }));
  // Without a name, and lazily.
  const bare = [...code.matchAll(/(?:^import\s+|\bimport\()'([^']+)'/gm)];
  return [...named, ...bare.map(([, from = '']) => ({ from, names: '', isType: false }))];
}

function resolve(file: string, from: string): string | undefined {
  return from.startsWith('.') ? path.posix.join(path.posix.dirname(file), from) : undefined;
}

function roomOf(file: string): string {
  return (file.split('/')[0] ?? '').replace(/\.ts$/, '');
}

function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
