// Proposes checks for a project that names none, from files at its root, else of its workspace or first folders.
import path from 'node:path';
import { parseObject } from '../../check/read-file.ts';
import { scriptsOf } from '../../check/scripts.ts';
import { chooseScripts, type NamedCheck, packageRunner, proposeScripts } from './script.ts';
import { type Project, type ProposedCheck, proposeTools } from './tool.ts';

export type { ProposedCheck } from './tool.ts';

export function proposeChecks(project: Project): readonly ProposedCheck[] {
  const own = proposeIn(project);
  return own.length > 0 ? own : proposeBelow(project);
}

function proposeIn(project: Project): readonly ProposedCheck[] {
  const { read } = project;
  const ofScripts = proposeScripts(read);
  const isPackage = ({ file }: ProposedCheck) => file === 'package.json';
  const ofMembers = ofScripts.some(isPackage) ? [] : proposeWorkspace(project);
  const named = [...ofMembers, ...ofScripts];
  const tools = proposeTools(project);
  const proposals = [...withoutDoubles(named), ...tools.filter((tool) => !isCovered(tool, named))];
  return proposals
    .filter(({ command }, at) => proposals.findIndex((other) => other.command === command) === at)
    .map(({ command, file, reason, kind }) => ({ command, file, reason, kind }));
}

/** A target that calls another file's script of its kind, or runs the same, is the same check. */
function withoutDoubles(named: readonly NamedCheck[]): readonly NamedCheck[] {
  return named.filter(
    (check, at) =>
      !named.slice(0, at).some((before) => before.kind === check.kind && check.runs.includes(before.command)),
  );
}

const recipes = /^(?:[Mm]akefile|GNUmakefile|\.?[Jj]ustfile|[Tt]askfile\.ya?ml|composer\.json)$/;

/** Already run by a recipe file's check of its kind, or by a named check. */
function isCovered(tool: ProposedCheck, named: readonly NamedCheck[]): boolean {
  const words = tool.command
    .replace(/^(?:(?:uv|poetry) run|\S+\/python -m) /, '')
    .split(' ')
    .slice(0, 2)
    .join(' ');
  return named.some(
    ({ file, kind, runs }) => (recipes.test(file) && kind === tool.kind) || runs.includes(words),
  );
}

const passed =
  /^(?:\.|node_modules$|vendor$|docs?$|examples?$|test(?:s|data)?$|fixtures?$|dist$|build$|target$|third[_-]?party$)/;
const mostFolders = 4;

/** Of projects side by side, such as `frontend` and `backend`. */
function proposeBelow({ read, list }: Project): readonly ProposedCheck[] {
  const folders = list('.')
    .filter((name) => !passed.test(name) && /^[\w.-]+$/.test(name))
    .toSorted();
  const found = folders.flatMap((folder) => {
    const below = proposeIn({
      read: (file) => read(`${folder}/${file}`),
      list: (name) => list(name === '.' ? folder : `${folder}/${name}`),
    });
    const moved = below.map((check) => ({
      ...check,
      command: `cd ${folder} && ${check.command}`,
      file: `${folder}/${check.file}`,
    }));
    return moved.length > 0 ? [moved] : [];
  });
  return found.length > mostFolders ? [] : found.flat();
}

function proposeWorkspace({ read, list }: Project): readonly NamedCheck[] {
  const members = membersOf({ read, list });
  if (read('nx.json') !== undefined) return proposeNx({ read, list }, members);
  const scripts = new Map<string, string>();
  // A script that watches in one package keeps all waiting.
  for (const member of members)
    for (const [name, text] of scriptsOf(read(`${member}/package.json`)))
      scripts.set(name, [scripts.get(name), text].filter(Boolean).join('\n'));
  const run = packageRunner(read);
  const isPlugAndPlay = read('.yarnrc.yml') !== undefined;
  const commandOf = (name: string): string =>
    ({
      npm: `npm run ${name} --workspaces --if-present`,
      pnpm: `pnpm -r --if-present run ${name}`,
      yarn: isPlugAndPlay ? `yarn workspaces foreach -A run ${name}` : `yarn workspaces run ${name}`,
      bun: `bun run --filter '*' ${name}`,
    })[run];
  const file = read('pnpm-workspace.yaml') === undefined ? 'package.json' : 'pnpm-workspace.yaml';
  return chooseScripts(scripts, file, commandOf, 'script of the workspace:');
}

function proposeNx({ read }: Project, members: readonly string[]): readonly NamedCheck[] {
  const targets = new Map<string, string>();
  for (const member of members) {
    const project = parseObject(read(`${member}/project.json`) ?? '')?.['targets'];
    for (const name of Object.keys((project ?? {}) as object)) targets.set(name, 'nx');
    for (const [name, text] of scriptsOf(read(`${member}/package.json`))) targets.set(name, text);
  }
  // Plugins add tests without a word in the project's files.
  if (!targets.has('test')) targets.set('test', 'nx');
  return chooseScripts(targets, 'nx.json', (name) => `npx nx run-many -t ${name}`, 'target');
}

const mostMembers = 200;

/** As the workspace names them, with a final `*` expanded; for nx the usual ones. */
function membersOf({ read, list }: Project): readonly string[] {
  const listed = parseObject(read('package.json') ?? '')?.['workspaces'];
  const named = Array.isArray(listed) ? listed : (listed as { packages?: unknown } | undefined)?.packages;
  const inFile = (read('pnpm-workspace.yaml') ?? '').matchAll(/^\s*-\s*["']?([\w@./*-]+)["']?\s*$/gm);
  const globs = [
    ...(Array.isArray(named) ? named.map(String) : []),
    ...[...inFile].map(([, glob = '']) => glob),
  ];
  const usual = read('nx.json') === undefined ? [] : ['apps/*', 'libs/*', 'packages/*'];
  return [...globs, ...usual]
    .map((glob) => glob.replace(/^\.\//, '').replace(/\/\*\*$/, '/*'))
    .flatMap((glob) => {
      if (!glob.endsWith('*')) return [glob];
      const folder = path.posix.dirname(glob);
      return list(folder).map((name) => path.posix.join(folder, name));
    })
    .filter((member) => !/[*!]|^\.\./.test(member))
    .slice(0, mostMembers);
}
