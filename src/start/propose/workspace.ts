// Proposes checks for a workspace whose root has none: the same script in each package, by the package manager or nx.
import path from 'node:path';
import { parseObject } from '../../check/read-file.ts';
import { chooseScripts, type NamedCheck, packageRunner, scriptsOf } from './script.ts';
import type { Project } from './tool.ts';

export function proposeWorkspace({ read, list }: Project): readonly NamedCheck[] {
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
