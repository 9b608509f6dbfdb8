// Agents and checks in bubblewrap, visible on this host: each program's own sandbox ends with it and all it started.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../below.ts';
import { defined } from '../defined.ts';
import { makeFolder } from '../disk.ts';
import { findProgram, findStartError } from '../process/find-program.ts';
import { neverStarted, type Spawn, type Spawned, type SpawnRequest } from '../process/spawn.ts';
import type { Mark, Sweep } from '../process/sweep.ts';
import { writeFileUnsynced } from '../write-file.ts';
import { bwrapArgs, programFolder, type SystemFolder } from './bubblewrap.ts';
import type { Mount } from './docker-args.ts';
import { passedEnvironment } from './env-passthrough.ts';
import { signalInside } from './read-only.ts';
import { Sandbox, type SandboxPlan, type Surround, type Surroundings } from './sandbox.ts';
import { syscallFilter } from './syscall-filter.ts';
import { serveTunnel } from './tunnel.ts';

export type ProcessSandboxPlan = SandboxPlan &
  Readonly<{
    host: Readonly<{ spawn: Spawn; sweep: Sweep }>;
    /** Absolute path. */
    bwrap: string;
    system: readonly SystemFolder[];
    /** For pawl's own program inside; absolute. */
    node: string;
    /** This host's PATH; inside, as far as visible. */
    searchPath: string;
    /** Path to create, for its seccomp filter. */
    filter: string;
  }>;

/** Prepares nothing before it is opened. */
export class ProcessSandbox extends Sandbox<Surroundings> {
  readonly #plan: ProcessSandboxPlan;
  protected readonly make: Surround;
  /** The pid of bubblewrap, above everything inside. */
  readonly #running = new Map<Mark, number>();
  readonly sweep: Sweep = {
    find: (mark) => this.#plan.host.sweep.find(mark, this.#running.get(mark)),
    signal: (processes, signal) => this.#plan.host.sweep.signal(processes, signal),
    end: (mark, { except, graceMs } = {}) =>
      this.#plan.host.sweep.end(mark, defined({ except, graceMs, root: this.#running.get(mark) })),
  };

  constructor(plan: ProcessSandboxPlan) {
    super(plan);
    this.#plan = plan;
    this.make = plan.surround;
  }

  override async open(): Promise<void> {
    const { filter } = this.#plan;
    makeFolder(path.dirname(filter), 0o700);
    writeFileUnsynced(filter, syscallFilter(), 0o600);
    await super.open();
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    for (const [mark, root] of this.#running) await this.#plan.host.sweep.end(mark, { root, graceMs: 0 });
    await super[Symbol.asyncDispose]();
  }

  protected async leave(place: Surroundings): Promise<void> {
    place.dispose();
  }

  protected start(request: SpawnRequest, mark: Mark, { mounts }: Surroundings): Spawned {
    const { host, env, searchPath, onConnection } = this.#plan;
    const error = findStartError(request.file, request.cwd, searchPath);
    if (error) return neverStarted(Promise.resolve(error));
    const program = host.spawn({
      ...request,
      hasWire: true,
      file: '/bin/sh',
      args: this.#wordsOf(request, mounts),
      env: { ...passedEnvironment(request.env), ...env, PATH: `${programFolder}:${searchPath}` },
    });
    const { pid, wire } = program;
    if (wire) serveTunnel(wire, onConnection);
    if (pid !== undefined) this.#running.set(mark, pid);
    const ended = program.ended.then((end) => {
      if (this.#running.get(mark) === pid) this.#running.delete(mark);
      return end;
    });
    return { ...program, ended, signal: signalInside(program, mark, host.sweep) };
  }

  #wordsOf({ file, args, cwd }: SpawnRequest, mounts: readonly Mount[]): readonly string[] {
    const { bwrap, system, node, filter, ports, searchPath } = this.#plan;
    const seen = [...system.map((folder) => folder.path), ...mounts.map(({ to }) => to)];
    const own = seenOf(file, searchPath, seen);
    const pawls: Mount = { from: realpathSync(node), to: `${programFolder}/node`, readonly: true };
    return bwrapArgs({
      system,
      mounts: [...own.mounts, pawls, ...mounts].toSorted((one, other) => depthOf(one.to) - depthOf(other.to)),
      links: own.links,
      cwd,
      ports,
      filter,
      bwrap,
      file,
      args,
    });
  }
}

function depthOf(place: string): number {
  return place.split(path.sep).filter((part) => part !== '').length;
}

/** For a program outside the visible folders: itself or, for a package, the packages around it. */
function seenOf(
  file: string,
  searchPath: string,
  seen: readonly string[],
): Readonly<{ mounts: readonly Mount[]; links: readonly (readonly [string, string])[] }> {
  const isName = !file.includes('/');
  const place = isName ? findProgram(file, searchPath) : file;
  if (place === undefined || isSeen(place, seen)) return { mounts: [], links: [] };
  const real = realpathSync(place);
  const at = real.indexOf('/node_modules/');
  const from = at < 0 ? real : real.slice(0, at + '/node_modules'.length);
  const mounts = isSeen(real, seen) ? [] : [{ from, to: from, readonly: true }];
  if (isName) return { mounts, links: [[real, `${programFolder}/${file}`]] };
  return { mounts, links: place === real ? [] : [[real, place]] };
}

function isSeen(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isAtOrBelow(file, folder));
}
