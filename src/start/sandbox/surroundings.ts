// What a run's sandbox sees of the host: a working tree, private git folder, home, sessions' files, and the
// repository's commit hooks as commands inside: git then runs none on this machine.
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isBelow } from '../../below.ts';
import { makeFolder, removeFile, removeOwnFolder } from '../../disk.ts';
import { listHooks } from '../../git/commit/commit.ts';
import type { Repo } from '../../git/run/repo.ts';
import { matchesAny } from '../../glob.ts';
import { groundsOf, isPassing } from '../../ground/in-ground.ts';
import { makePrivateGit } from '../../ground/private-git.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import type { SpawnRequest } from '../../process/spawn.ts';
import { inside, type Mount } from '../../sandbox/docker-args.ts';
import type { Surround, Surroundings, Trees } from '../../sandbox/sandbox.ts';
import { findTunnelProgram } from '../../sandbox/tunnel.ts';
import { quoteForShell } from '../../shell-word.ts';
import { writeFileUnsynced } from '../../write-file.ts';
import { readSubmodules } from '../locate.ts';

/** `home` outlives its containers; `handed`: files that are passed in. */
export function placesOf({ run }: Readonly<{ run: Pick<Run, 'folder'> }>) {
  const folder = path.join(run.folder, 'sandbox');
  return { folder, home: path.join(folder, 'home'), handed: path.join(folder, 'handed') };
}

/** The plan is read-only in it. */
export function createSurroundings(place: Place, mounts: readonly Mount[]): Surround {
  const { home, handed, folder } = placesOf(place);
  return async (workdir) => {
    for (const each of [home, handed]) makeFolder(each, 0o700);
    const common: readonly Mount[] = [
      { from: findTunnelProgram(), to: inside.tunnel, readonly: true },
      { from: home, to: inside.home, readonly: false },
      { from: handed, to: path.join(place.run.folder, 'sessions'), readonly: true },
      { from: workdir, to: workdir, readonly: false },
      ...hookMounts(place.repo),
      ...mounts,
    ];
    const repo = workdir === place.repo.root ? place.repo : place.repo.at(workdir);
    const git = await surroundGit(repo, path.join(folder, 'git', place.run.random(4)));
    // A checkout is thrown away, and nothing on this machine reads it.
    const isKept = treesOf(place).includes(workdir);
    const shut = isKept
      ? [...planIn(place, workdir), ...gitFoldersIn(workdir), ...protectedIn(place, workdir)]
      : [];
    const walls = shut.map((name) => path.join(workdir, name));
    return { ...git, mounts: [...common, ...git.mounts, ...walls.map(readOnly)] };
  };
}

export function treesOf({ repo, run }: Place): ReturnType<Trees> {
  const known = [...run.state().lanes.values()].map(({ folder }) => folder);
  // A lane in the making is not in the state yet.
  const all = groundsOf({ run });
  const names = existsSync(all) ? readdirSync(all).filter((name) => !isPassing(name)) : [];
  const made = names.map((name) => path.join(all, name));
  return [repo.root, ...new Set([...known, ...made])];
}

const readOnly = (file: string): Mount => ({ from: file, to: file, readonly: true });

function planIn({ plan }: Pick<Place, 'plan'>, root: string): readonly string[] {
  return !path.isAbsolute(plan.name) && existsSync(path.join(root, plan.name)) ? [plan.name] : [];
}

/** Of submodules, which a git on this machine would obey. */
function gitFoldersIn(root: string): readonly string[] {
  return findProtected({ root, entries: readSubmodules(root).map((name) => `${name}/.git`), globs: [] });
}

/** `sandbox.protect`, relative to the tree. A planner's words open nothing. */
function protectedIn({ run: { config, state } }: Place, root: string): readonly string[] {
  const globs = [...state().leave.values()].flatMap(({ files }) => files);
  return findProtected({ root, entries: config.sandbox.protect, globs });
}

async function surroundGit(repo: Repo, folder: string): Promise<Surroundings> {
  const paths = { objects: inside.objects, git: inside.git };
  const { linkFile, borrowed } = await makePrivateGit(repo, folder, paths);
  const dotGit = path.join(repo.root, '.git');
  const own: readonly Mount[] = linkFile
    ? [
        { from: folder, to: inside.git, readonly: false },
        { from: linkFile, to: dotGit, readonly: true },
      ]
    : [{ from: folder, to: dotGit, readonly: false }];
  return {
    mounts: [...own, ...borrowed.map((each) => ({ ...each, readonly: true }))],
    dispose: () => {
      removeOwnFolder(folder);
      if (linkFile) removeFile(linkFile);
    },
  };
}

/** Files of sessions that arguments name are copied to where they are visible inside, at the same path. */
export function handIn({ run }: Place, { args }: SpawnRequest): void {
  const { handed } = placesOf({ run });
  const sessions = path.join(run.folder, 'sessions') + path.sep;
  for (const arg of args) {
    if (!arg.startsWith(sessions) || !existsSync(arg)) continue;
    makeFolder(handed, 0o700);
    writeFileUnsynced(path.join(handed, path.basename(arg)), readFileSync(arg, 'utf8'), 0o600);
  }
}

// Read-only inside, because this machine's programs run or obey them: `sandbox.protect`, except what a person's task
// names.

type ProtectRequest = Readonly<{
  root: string;
  /** Relative to the root; `FOLDER/*`: its files, while new ones may be made. */
  entries: readonly string[];
  /** Of files that may be written all the same. */
  globs: readonly string[];
}>;

/** Relative to the root. Links, and anything behind one, may lead anywhere: left out. */
export function findProtected({ root, entries, globs }: ProtectRequest): readonly string[] {
  const isWanted = (name: string) =>
    matchesAny(name, globs) || globs.some((glob) => glob.replace(/^\.\//, '').startsWith(`${name}/`));
  return [...new Set(entries.flatMap((entry) => expand(root, entry)))].filter((name) => !isWanted(name));
}

function expand(root: string, entry: string): readonly string[] {
  const name = path.normalize(entry).replace(/\/$/, '');
  const kind = kindAt(root, name);
  if (kind !== undefined) return [name];
  const folder = path.dirname(name);
  if (path.basename(name) !== '*' || kindAt(root, folder) !== 'folder') return [];
  return readdirSync(path.join(root, folder))
    .map((each) => path.join(folder, each))
    .filter((each) => kindAt(root, each) === 'file');
}

/** Undefined: nothing, a link, or something behind one. */
function kindAt(root: string, name: string): 'file' | 'folder' | undefined {
  const file = path.join(root, name);
  if (name === '.' || name.startsWith('..') || path.isAbsolute(name)) return undefined;
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found || realpathSync(path.dirname(file)) !== path.dirname(file)) return undefined;
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : undefined;
}

type HookedRepo = Pick<Repo, 'root' | 'gitDir' | 'hooksDir'>;

/** The commands first stage what a commit would have staged. */
export function hooksInside(repo: HookedRepo): Omit<NonNullable<Place['sandbox']>, 'open' | 'home'> {
  const there = listHooks(repo);
  // Relative: each lane has its own, and git resolves it from the tree's top.
  const folder = isInTree(repo) ? `./${path.relative(repo.root, repo.hooksDir)}` : inside.hooks;
  const quoted = quoteForShell(folder);
  const stage = 'git add --all';
  const run = (hook: string) => `git -c core.hooksPath=${quoted} hook run --ignore-missing ${hook}`;
  const names = messageHooks.filter(({ name }) => there.includes(name)).map(({ name }) => name);
  const steps = messageHooks.map(({ name, args }) => `${run(name)} -- ${args}`);
  const command = [oneOutput, stage, ...given, ...steps, ...handOut].join('\n');
  return {
    hookChecks: there.includes('pre-commit') ? [`${stage} && ${run('pre-commit')}`] : [],
    ...(names.length === 0 ? {} : { messageHooks: { names, command } }),
  };
}

/** In git's order, with git's arguments for an existing message. */
const messageHooks = [
  { name: 'prepare-commit-msg', args: '"$file" message' },
  { name: 'commit-msg', args: '"$file"' },
] as const;

// What a hook says must not come after the message.
const oneOutput = 'exec 2>&1';
const given = [
  'file="$(git rev-parse --absolute-git-dir)/COMMIT_EDITMSG"',
  `printf '%s\\n' "$PAWL_MESSAGE" > "$file"`,
];
const messageKey = `printf '\\n%s\\n' "$PAWL_MESSAGE_KEY"`;
const handOut = [messageKey, 'cat "$file"', messageKey];

/** Outside the tree they are the user's own: read-only. */
function hookMounts(repo: HookedRepo): readonly Mount[] {
  const { hookChecks, messageHooks: some } = hooksInside(repo);
  if (isInTree(repo) || (hookChecks.length === 0 && some === undefined)) return [];
  return [{ from: realpathSync(repo.hooksDir), to: inside.hooks, readonly: true }];
}

function isInTree({ root, gitDir, hooksDir }: HookedRepo): boolean {
  return isBelow(hooksDir, root) && !isBelow(hooksDir, gitDir);
}
