// Agents and checks in containers: which one a program gets, and when one is made.
import type { Spawn } from '../process/spawn.ts';
import type { Mark, Process, Sweep } from '../process/sweep.ts';
import { Container } from './container.ts';
import type { DockerHost } from './docker.ts';
import type { ContainerRequest } from './docker-args.ts';
import type { MarkedProcesses } from './process-supervisor.ts';
import { Lodgings, type Sandbox, type SandboxPlan, type Surroundings } from './sandbox.ts';

export type DockerSandboxPlan = SandboxPlan &
  Readonly<{
    host: DockerHost;
    /** For each container; `name` gets a random suffix. */
    request: Omit<ContainerRequest, 'mounts' | 'workdir' | 'env' | 'ports'>;
    /** Hexadecimal, of that many bytes. */
    random: (bytes: number) => string;
    /** A container ended that nobody had asked to. */
    onLost: (reason: string) => void;
  }>;

type Occupied = Readonly<{ container: Container; surroundings: Surroundings }>;

/** Nothing starts before it is opened, or the first program. */
export class DockerSandbox implements Sandbox {
  readonly #plan: DockerSandboxPlan;
  readonly #lodgings: Lodgings<Occupied>;
  #isClosing = false;
  readonly spawn: Spawn = (request) =>
    this.#lodgings.spawn(request, ({ container }, mark) => container.launch(request, mark));
  readonly sweep: Sweep = {
    find: (mark) => this.#gather(mark, (container, whose) => container.find(whose)),
    signal: async (processes, signal) => {
      for (const { place } of await this.#lodgings.made()) void place.container.signal(processes, signal);
    },
    end: (mark, options = {}) =>
      this.#gather(mark, (container, whose) => container.endProcesses(whose, options)),
  };

  constructor(plan: DockerSandboxPlan) {
    this.#plan = plan;
    this.#lodgings = new Lodgings({
      trees: plan.trees,
      make: (workdir) => this.#make(workdir),
      isOpen: ({ container }) => container.isAlive,
      leave,
      handIn: plan.handIn,
    });
  }

  async open(): Promise<void> {
    await this.#lodgings.enter(this.#plan.trees()[0]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    await Promise.all((await this.#lodgings.made()).map(({ place }) => leave(place)));
  }

  async #make(workdir: string): Promise<Occupied> {
    const plan = this.#plan;
    if (this.#isClosing) throw new Error('the sandbox is closed');
    const surroundings = await plan.surround(workdir);
    try {
      const name = `${plan.request.name}-${plan.random(4)}`;
      const { env, ports } = plan;
      const request = { ...plan.request, name, mounts: surroundings.mounts, workdir, env, ports };
      const container = await Container.start(plan, request);
      void container.ended.then((reason) => container.isWanted && plan.onLost(reason));
      return { container, surroundings };
    } catch (error) {
      surroundings.dispose();
      throw error;
    }
  }

  async #gather(
    mark: Mark,
    ask: (container: Container, whose: MarkedProcesses) => Promise<readonly Process[]>,
  ): Promise<readonly Process[]> {
    const known = (await this.#lodgings.made()).filter((lodging) => lodging.known.has(mark));
    const answers = known.map(({ place, active }) =>
      ask(place.container, { mark, alone: [...active].every((other) => other === mark) }),
    );
    return (await Promise.all(answers)).flat();
  }
}

async function leave({ container, surroundings }: Occupied): Promise<void> {
  await container.end();
  surroundings.dispose();
}
