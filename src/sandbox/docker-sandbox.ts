// Agents and checks in containers: which one a program gets, and when one is made.
import type { Spawned, SpawnRequest } from '../process/spawn.ts';
import type { Mark, Process, Sweep } from '../process/sweep.ts';
import { Container } from './container.ts';
import type { DockerHost } from './docker.ts';
import type { ContainerRequest } from './docker-args.ts';
import type { Wanted } from './process-supervisor.ts';
import { Sandbox, type SandboxPlan, type Surroundings } from './sandbox.ts';

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
export class DockerSandbox extends Sandbox<Occupied> {
  readonly #plan: DockerSandboxPlan;
  #isClosing = false;
  readonly sweep: Sweep = {
    find: (mark) => this.#gather(mark, { op: 'find' }),
    signal: async (processes, signal) => {
      for (const { place } of await this.made()) void place.container.signal(processes, signal);
    },
    end: (mark, { except = [], graceMs } = {}) => this.#gather(mark, { op: 'end', except, graceMs }),
  };

  constructor(plan: DockerSandboxPlan) {
    super(plan);
    this.#plan = plan;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    await super[Symbol.asyncDispose]();
  }

  protected start(request: SpawnRequest, mark: Mark, { container }: Occupied): Promise<Spawned> {
    return container.launch(request, mark);
  }

  protected override isOpen({ container }: Occupied): boolean {
    return container.isAlive;
  }

  protected async leave({ container, surroundings }: Occupied): Promise<void> {
    await container.end();
    surroundings.dispose();
  }

  protected async make(workdir: string): Promise<Occupied> {
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

  async #gather(mark: Mark, wanted: Wanted): Promise<readonly Process[]> {
    const known = (await this.made()).filter((lodging) => lodging.known.has(mark));
    const answers = known.map(({ place, active }) =>
      place.container.list({ ...wanted, mark, alone: [...active].every((other) => other === mark) }),
    );
    return (await Promise.all(answers)).flat();
  }
}
