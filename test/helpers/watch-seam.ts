// Loaded into pawl with `node --import`: every write to a file and every git that changes something must happen inside an
// effect; one that does not is a line in the file that the environment names. It hinders nothing.
import { AsyncLocalStorage } from 'node:async_hooks';
import childProcess, { ChildProcess, spawn } from 'node:child_process';
import fs, { readlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { surroundEffects } from '../../src/effect.ts';
import { changesRepository } from './git-words.ts';

const { SEAM_BREACHES_TO: breaches, PLANT_BREACH_AT: plantAt } = process.env;
const isPawl = process.argv[1] === path.join(import.meta.dirname, 'main.js');
const inside = new AsyncLocalStorage<true>();
const { appendFileSync } = fs;

/** What is written beside the door on purpose: records of other programs' output, which no resume decides by. */
const records = [/\/sessions\/\d+\.(ndjson|ndjson\.times|stderr\.log)$/, /\/checks\/[^/]+\.log$/];

function watch(file: string): void {
  const judge = (what: string, target: string): void => {
    if (inside.getStore() || records.some((record) => record.test(target))) return;
    const stack = new Error().stack?.split('\n').filter((line) => line.includes('/src/')) ?? [];
    const line = `${what} ${target}${stack.map((frame) => ` | ${frame.trim()}`).join('')}\n`;
    // It is made of other writes, which are no breaches.
    inside.run(true, () => appendFileSync(file, line));
  };
  watchFiles(judge);
  watchPrograms(judge);
  syncBuiltinESMExports();
  surroundEffects((point, act) => {
    if (plantAt === point.label) plant();
    return inside.run(true, act);
  });
}

type Judge = (what: string, target: string) => void;

const pathWriters = 'writeFile appendFile mkdir rm rmdir unlink truncate chmod utimes'.split(' ');
const pairWriters = ['rename', 'link', 'symlink', 'copyFile', 'cp'];
const fdWriters = ['write', 'writev', 'ftruncate', 'futimes', 'fchmod'];

function watchFiles(judge: Judge): void {
  const sync = (names: readonly string[]) => names.map((name) => `${name}Sync`);
  for (const names of [pathWriters, pairWriters]) {
    for (const name of [...names, ...sync(names)])
      wrap(fs, name, (args) => judge(name, targetOf(args, names)));
    for (const name of names) wrap(fs.promises, name, (args) => judge(name, targetOf(args, names)));
  }
  for (const name of [...fdWriters, ...sync(fdWriters)]) wrap(fs, name, ([fd]) => judgeFd(judge, name, fd));
  for (const module of [fs, fs.promises])
    for (const name of ['open', 'openSync'])
      wrap(module, name, (args) => opensForWriting(args[1]) && judge(name, String(args[0])));
}

/** A file that is given by its descriptor is judged by its name; a stream of pawl's own, a pipe or socket is no file. */
function judgeFd(judge: Judge, name: string, fd: unknown): void {
  if (typeof fd !== 'number' || fd <= 2) return;
  const target = readlinkSync(`/proc/self/fd/${fd}`);
  if (target.startsWith('/') && !target.startsWith('/dev/')) judge(name, target);
}

function targetOf(args: readonly unknown[], names: readonly string[]): string {
  const target = names === pairWriters ? args[1] : args[0];
  return typeof target === 'number' ? readlinkSync(`/proc/self/fd/${target}`) : String(target);
}

function opensForWriting(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;
  return typeof flags === 'string' && /[wa+]/.test(flags);
}

function watchPrograms(judge: Judge): void {
  const judgeArgs = (args: readonly string[]): void => {
    if (path.basename(args[0] ?? '') === 'git' && changesRepository(args.slice(1)))
      judge('git', args.slice(1).join(' '));
  };
  wrap(ChildProcess.prototype, 'spawn', ([options]) => judgeArgs((options as { args: string[] }).args));
  watchShells(judgeArgs);
  for (const name of ['spawnSync', 'execFileSync'])
    wrap(childProcess, name, ([file, args]) => judgeArgs([String(file), ...((args as string[]) ?? [])]));
}

/** Most gits are started by shells that are told what to run. */
function watchShells(judgeArgs: (args: readonly string[]) => void): void {
  const { spawn: real } = childProcess;
  childProcess.spawn = ((file: string, args: string[], options: object) => {
    const child = real(file, args, options);
    if (file !== '/bin/sh' || args.length > 0 || child.stdin === null) return child;
    wrap(child.stdin, 'write', ([script]) => {
      const [, git, words = ''] = /'([^']*\/git)'((?: '(?:[^']|'\\'')*')*)/.exec(String(script)) ?? [];
      if (git !== undefined)
        judgeArgs([git, ...[...words.matchAll(/'([^']*)'/g)].map(([, word = '']) => word)]);
    });
    return child;
  }) as typeof real;
}

function wrap(owner: object, name: string, look: (args: readonly unknown[]) => unknown): void {
  const holder = owner as Record<string, ((...args: unknown[]) => unknown) | undefined>;
  const real = holder[name];
  if (real === undefined) return;
  holder[name] = function (this: unknown, ...args: unknown[]) {
    look(args);
    return real.apply(this, args);
  };
}

/** One breach of each kind, for the proof that they are seen. */
function plant(): void {
  fs.writeFileSync(path.join(process.cwd(), 'planted.log'), 'planted');
  spawn('git', ['-c', 'gc.auto=0', 'update-ref', 'refs/planted', 'HEAD'], { stdio: 'ignore' });
  const shell = spawn('/bin/sh', [], { stdio: 'pipe' });
  shell.stdin.write("'/usr/bin/git' 'update-ref' 'refs/planted' 'HEAD'\n");
  shell.stdin.end();
}

if (isPawl && breaches !== undefined) watch(breaches);
