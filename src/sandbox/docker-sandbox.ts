// Agents and checks in containers: which container a program gets, when a new one is made, and how its processes look
// from here.
import { defined } from '../defined.ts';
import type { Spawn, Spawned, SpawnRequest } from '../process/spawn.ts';
import { neverStarted } from '../process/spawn.ts';
import { type Mark, markOf, type Process, type Sweep } from '../process/sweep.ts';
import { Container, type ContainerDeps } from './container.ts';
import type { ContainerRequest } from './docker-args.ts';
import { type ContainerPids, PidMap } from './pid-map.ts';
import type { Sandbox, Surround, Surroundings, Trees } from './sandbox.ts';
import { spawnDeferred } from './sandbox.ts';
import { workFolderOf } from './system-folders.ts';

export type DockerSandboxPlan = Readonly<{
  deps: ContainerDeps;
  /** For each container; `name` gets a random suffix. */
  request: Omit<ContainerRequest, 'mounts' | 'workdir'>;
  /** One container for all below each; programs elsewhere get their own. */
  trees: Trees;
  surround: Surround;
  /** Passes on the run's files that its arguments name. */
  handIn: (request: SpawnRequest) => void;
  /** Hexadecimal, of that many bytes. */
  random: (bytes: number) => string;
  /** A container ended that nobody had asked to. */
  onLost: (reason: string) => void;
}>;

/** Nothing starts before it is opened, or the first program. */
export function createDockerSandbox(plan: DockerSandboxPlan): Sandbox {
  return new DockerSandbox(plan);
}

type Place = {
  readonly workdir: string;
  current: Promise<Occupied> | undefined;
};

type Occupied = Readonly<{ container: Container; numbers: ContainerPids; surroundings: Surroundings }>;

class DockerSandbox implements Sandbox {
  readonly #plan: DockerSandboxPlan;
  readonly #numbers = new PidMap();
  readonly #places = new Map<string, Place>();
  #isClosing = false;
  readonly spawn: Spawn = (request) => {
    const pid = this.#numbers.program();
    return spawnDeferred(pid, this.#launch(request, pid));
  };
  readonly sweep: Sweep = {
    find: async (mark) => {
      const known = (await this.#living()).filter(({ container }) => container.known.has(mark));
      return (await Promise.all(known.map((one) => find(one, mark)))).flat();
    },
    signal: async (processes, signal) => {
      for (const one of await this.#living()) void tell(one, processes, signal);
    },
    end: async (mark, options = {}) => {
      const known = (await this.#living()).filter(({ container }) => container.known.has(mark));
      return (await Promise.all(known.map((one) => end(one, mark, options)))).flat();
    },
  };

  constructor(plan: DockerSandboxPlan) {
    this.#plan = plan;
  }

  async open(): Promise<void> {
    await this.#occupy(this.#placeOf(this.#plan.trees()[0]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    await Promise.all((await this.#living()).map(leave));
  }

  /** Never rejects: a container that cannot be made is a program that cannot be started. */
  async #launch(request: SpawnRequest, pid: number): Promise<Spawned> {
    try {
      const mark = markOf(request.env);
      this.#plan.handIn(request);
      const { container, numbers } = await this.#occupy(this.#placeOf(request.cwd), mark);
      numbers.name(mark, pid);
      const program = await container.launch(request, mark);
      void program.ended.then(() => container.leave(mark));
      return program;
    } catch (error) {
      return neverStarted(Promise.resolve(error instanceof Error ? error : new Error(String(error))));
    }
  }

  #placeOf(cwd: string): Place {
    const workdir = workFolderOf(this.#plan.trees(), cwd);
    const known = this.#places.get(workdir);
    if (known) return known;
    const place: Place = { workdir, current: undefined };
    this.#places.set(workdir, place);
    return place;
  }

  /** A session gets a container that no session has used, unless others are at work there. */
  async #occupy(place: Place, mark?: Mark): Promise<Occupied> {
    const before = place.current;
    const next = this.#renew(place, before, mark);
    place.current = next;
    try {
      return await next;
    } catch (error) {
      if (place.current === next) place.current = undefined;
      throw error;
    }
  }

  async #renew(place: Place, before: Promise<Occupied> | undefined, mark?: Mark): Promise<Occupied> {
    const old = await before?.catch(() => undefined);
    const isSession = mark?.startsWith('PAWL_SESSION=') ?? false;
    const isUsed = isSession && old?.container.hasServed === true && old.container.active.size === 0;
    const next = old?.container.isAlive && !isUsed ? old : await this.#make(place, old);
    // At once, so that simultaneous callers see it.
    if (mark !== undefined) next.container.enter(mark);
    return next;
  }

  async #make(place: Place, old: Occupied | undefined): Promise<Occupied> {
    const plan = this.#plan;
    if (this.#isClosing) throw new Error('the sandbox is closed');
    if (old) await leave(old);
    const surroundings = await plan.surround(place.workdir);
    try {
      const container = await Container.start(plan.deps, {
        ...plan.request,
        name: `${plan.request.name}-${plan.random(4)}`,
        mounts: surroundings.mounts,
        workdir: place.workdir,
      });
      void container.ended.then((reason) => container.isWanted && plan.onLost(reason));
      return { container, numbers: this.#numbers.container(), surroundings };
    } catch (error) {
      surroundings.dispose();
      throw error;
    }
  }

  async #living(): Promise<readonly Occupied[]> {
    const all = [...this.#places.values()].map(({ current }) => current?.catch(() => undefined));
    return (await Promise.all(all)).filter((one) => one !== undefined);
  }
}

async function leave({ container, surroundings }: Occupied): Promise<void> {
  await container.end();
  surroundings.dispose();
}

async function find({ container, numbers }: Occupied, mark: Mark): Promise<readonly Process[]> {
  const { processes = [], root } = await container.ask({ op: 'find', ...whose(container, mark) });
  return numbers.outward(processes, mark, root);
}

async function tell(
  { container, numbers }: Occupied,
  processes: readonly Process[],
  signal: NodeJS.Signals,
): Promise<void> {
  const own = numbers.inward(processes);
  if (own.length > 0) await container.ask({ op: 'signal', processes: own, signal });
}

async function end(
  { container, numbers }: Occupied,
  mark: Mark,
  { except = [], graceMs }: Readonly<{ except?: readonly Process[]; graceMs?: number }>,
): Promise<readonly Process[]> {
  const { processes = [], root } = await container.ask({
    op: 'end',
    ...whose(container, mark),
    except: numbers.inward(except),
    ...defined({ graceMs }),
  });
  return numbers.outward(processes, mark, root);
}

function whose({ active }: Container, mark: Mark): { mark: Mark; alone: boolean } {
  return { mark, alone: [...active].every((other) => other === mark) };
}
