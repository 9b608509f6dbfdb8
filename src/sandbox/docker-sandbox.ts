// Agents and checks in containers: which one a program gets, when one is made, and how its processes look from here.
import { defined } from '../defined.ts';
import { neverStarted, type Spawn, type Spawned, type SpawnRequest } from '../process/spawn.ts';
import { type Mark, markOf, type Process, type Sweep } from '../process/sweep.ts';
import { Container, type ContainerDeps } from './container.ts';
import type { ContainerRequest } from './docker-args.ts';
import {
  type ContainerPids,
  type Lodging,
  Lodgings,
  PidMap,
  type Sandbox,
  type Surround,
  type Surroundings,
  spawnDeferred,
  type Trees,
} from './sandbox.ts';

export type DockerSandboxPlan = Readonly<{
  deps: ContainerDeps;
  /** For each container; `name` gets a random suffix. */
  request: Omit<ContainerRequest, 'mounts' | 'workdir'>;
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

type Occupied = Readonly<{ container: Container; numbers: ContainerPids; surroundings: Surroundings }>;

class DockerSandbox implements Sandbox {
  readonly #plan: DockerSandboxPlan;
  readonly #numbers = new PidMap();
  readonly #lodgings: Lodgings<Occupied>;
  #isClosing = false;
  readonly spawn: Spawn = (request) => {
    const pid = this.#numbers.program();
    return spawnDeferred(pid, this.#launch(request, pid));
  };
  readonly sweep: Sweep = {
    find: async (mark) =>
      (await Promise.all((await this.#knowing(mark)).map((one) => find(one, mark)))).flat(),
    signal: async (processes, signal) => {
      for (const { place } of await this.#lodgings.made()) void tell(place, processes, signal);
    },
    end: async (mark, options = {}) =>
      (await Promise.all((await this.#knowing(mark)).map((one) => end(one, mark, options)))).flat(),
  };

  constructor(plan: DockerSandboxPlan) {
    this.#plan = plan;
    this.#lodgings = new Lodgings({
      trees: plan.trees,
      make: (workdir) => this.#make(workdir),
      isOpen: ({ container }) => container.isAlive,
      leave,
    });
  }

  async open(): Promise<void> {
    await this.#lodgings.enter(this.#plan.trees()[0]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    await Promise.all((await this.#lodgings.made()).map(({ place }) => leave(place)));
  }

  /** Never rejects: a container that cannot be made is a program that cannot be started. */
  async #launch(request: SpawnRequest, pid: number): Promise<Spawned> {
    try {
      const mark = markOf(request.env);
      this.#plan.handIn(request);
      const { place, active } = await this.#lodgings.enter(request.cwd, mark);
      place.numbers.name(mark, pid);
      const program = await place.container.launch(request, mark);
      void program.ended.then(() => active.delete(mark));
      return program;
    } catch (error) {
      return neverStarted(Promise.resolve(error instanceof Error ? error : new Error(String(error))));
    }
  }

  async #make(workdir: string): Promise<Occupied> {
    const plan = this.#plan;
    if (this.#isClosing) throw new Error('the sandbox is closed');
    const surroundings = await plan.surround(workdir);
    try {
      const container = await Container.start(plan.deps, {
        ...plan.request,
        name: `${plan.request.name}-${plan.random(4)}`,
        mounts: surroundings.mounts,
        workdir,
      });
      void container.ended.then((reason) => container.isWanted && plan.onLost(reason));
      return { container, numbers: this.#numbers.container(), surroundings };
    } catch (error) {
      surroundings.dispose();
      throw error;
    }
  }

  async #knowing(mark: Mark): Promise<readonly Lodging<Occupied>[]> {
    return (await this.#lodgings.made()).filter(({ known }) => known.has(mark));
  }
}

async function leave({ container, surroundings }: Occupied): Promise<void> {
  await container.end();
  surroundings.dispose();
}

async function find(lodging: Lodging<Occupied>, mark: Mark): Promise<readonly Process[]> {
  const { container, numbers } = lodging.place;
  const { processes = [], root } = await container.ask({ op: 'find', ...whose(lodging, mark) });
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
  lodging: Lodging<Occupied>,
  mark: Mark,
  { except = [], graceMs }: Readonly<{ except?: readonly Process[]; graceMs?: number }>,
): Promise<readonly Process[]> {
  const { container, numbers } = lodging.place;
  const { processes = [], root } = await container.ask({
    op: 'end',
    ...whose(lodging, mark),
    except: numbers.inward(except),
    ...defined({ graceMs }),
  });
  return numbers.outward(processes, mark, root);
}

function whose({ active }: Lodging<Occupied>, mark: Mark): { mark: Mark; alone: boolean } {
  return { mark, alone: [...active].every((other) => other === mark) };
}
