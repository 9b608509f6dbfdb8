// One container from start to end: its main process, which carries its connections; its process supervisor; and the
// programs started in it.

import type { Duplex } from 'node:stream';
import { Failure } from '../failure.ts';
import { sleep } from '../process/clock.ts';
import { neverStarted, type Spawned, type SpawnRequest } from '../process/spawn.ts';
import type { Mark } from '../process/sweep.ts';
import { shorten } from '../shorten.ts';
import { type DockerHost, removeContainers, startFailure } from './docker.ts';
import { type ContainerRequest, execArgs, inside, runArgs } from './docker-args.ts';
import { type IsAgents, passedEnvironment } from './env-passthrough.ts';
import type { SupervisorAnswer, SupervisorAsk } from './process-supervisor.ts';
import { ProcessSupervisor } from './process-supervisor.ts';
import { serveTunnel, type Tunnel } from './tunnel.ts';
import { wireTo } from './wire.ts';

export type ContainerDeps = Readonly<{
  host: DockerHost;
  /** Gets each connection made inside, and its destination port. */
  onConnection: (connection: Duplex, port: number) => void;
  /** Entries of `sandbox.env`. */
  wanted: readonly string[];
  /** Whether a variable is an agent's own: checks do not get it. */
  isAgents: IsAgents;
}>;

/** How long an engine may take to start a container; a storage driver that copies whole images is slow. */
const startMs = 120_000;

const endMs = 2_000;

export class Container {
  readonly #deps: ContainerDeps;
  readonly #main: Spawned;
  readonly #tunnel: Tunnel;
  readonly #supervisor: ProcessSupervisor;
  readonly name: string;
  /** Running programs, by their marks. */
  readonly active = new Set<Mark>();
  /** A session was started in it. */
  hasServed = false;
  /** It accepts programs. */
  isAlive = true;
  /** Nobody has asked it to end. */
  isWanted = true;
  /** Marks of everything ever started in it. */
  readonly known = new Set<Mark>();
  /** Resolves when it is over, with docker's last words. */
  readonly ended: Promise<string>;

  private constructor(deps: ContainerDeps, name: string, parts: Parts) {
    this.#deps = deps;
    this.name = name;
    this.#main = parts.main;
    this.#tunnel = parts.tunnel;
    this.#supervisor = startSupervisor(deps, name);
    let broken: string | undefined;
    // Whoever breaks the tunnel's rules is not the program that pawl put there.
    void parts.tunnel.ended.then((error) => {
      if (!error) return;
      broken = `its way out was misused (${error.message})`;
      void this.#remove();
    });
    this.ended = parts.main.ended.then(() => {
      this.isAlive = false;
      return broken ?? parts.complaint();
    });
  }

  /** Starts one; if that fails, throws Failure('environment') with docker's own words. */
  static async start(deps: ContainerDeps, request: ContainerRequest): Promise<Container> {
    const { host, onConnection } = deps;
    const main = host.spawn({ ...client(host), args: runArgs(request), input: 'pipe' });
    const complaint = listen(main.stderr);
    const tunnel = serveTunnel(wireTo(main), onConnection);
    const cut = new AbortController();
    const late = sleep(startMs, cut.signal).then(() => false);
    const isReady = await Promise.race([tunnel.ready, main.ended.then(() => false), late]);
    cut.abort();
    if (!isReady) {
      await removeContainers(host, [request.name]);
      await main.ended;
      throw startFailure(complaint());
    }
    const container = new Container(deps, request.name, { main, tunnel, complaint });
    if (!(await container.#supervisor.ready)) {
      await container.kill();
      throw new Failure('environment', `pawl’s own program cannot be run in ${request.image}`, {
        hint: 'The image needs Node 18 or later, as `node` in its PATH.',
      });
    }
    return container;
  }

  /** Asks its supervisor; if that is gone, ends the container, and answers that nothing is running. */
  async ask(ask: SupervisorAsk): Promise<SupervisorAnswer> {
    const answer = this.isAlive ? await this.#supervisor.ask(ask) : undefined;
    if (answer === undefined) await this.#remove();
    return answer ?? { id: 0, processes: [] };
  }

  /** A program that carries `mark` is about to start; `leave` when it is over. */
  enter(mark: Mark): void {
    this.active.add(mark);
    this.known.add(mark);
    if (mark.startsWith('PAWL_SESSION=')) this.hasServed = true;
  }

  /** What carries `mark` is over, or will not come. */
  leave(mark: Mark): void {
    this.active.delete(mark);
  }

  /** Starts a program that carries `mark`; a missing one is reported as on the host. */
  async launch(request: SpawnRequest, mark: Mark): Promise<Spawned> {
    const { file, args, cwd, input } = request;
    const { error } = await this.ask({ op: 'try', file, cwd });
    if (error) return neverStarted(Promise.resolve(Object.assign(new Error(error.message), error)));
    if (!this.isAlive) return neverStarted(Promise.resolve(new Error('the sandbox has ended')));
    const { host } = this.#deps;
    const handed = passedEnvironment(request.env, this.#deps);
    const words = { file, args, cwd, names: Object.keys(handed), hasInput: input === 'pipe' };
    const program = host.spawn({
      ...client(host),
      args: execArgs(this.name, words),
      env: { ...host.env, ...handed },
      input,
    });
    const { ended } = program;
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    return {
      ...program,
      ended,
      // A signal to the client would reach nothing inside, and end the client as if all had gone well.
      signal: (signal) => void this.#signal(mark, signal, () => isOver),
    };
  }

  async #signal(mark: Mark, signal: NodeJS.Signals, isOver: () => boolean): Promise<void> {
    for (let tries = 0; tries < 20 && !isOver(); tries += 1) {
      // A program that was just started may not be visible yet.
      if ((await this.ask({ op: 'signal-group', mark, signal })).found || signal === 'SIGCONT') break;
      await sleep(100);
    }
    if (signal !== 'SIGKILL') return;
    // Nothing in it can refuse; the rest is up to the engine.
    await sleep(endMs);
    if (!isOver()) await this.#remove();
  }

  /** Makes it end, with everything that runs in it, and waits for that. */
  async end(): Promise<void> {
    this.isWanted = false;
    this.isAlive = false;
    this.#tunnel.close();
    this.#main.closeInput();
    const cut = new AbortController();
    const isLate = await Promise.race([this.ended.then(() => false), sleep(endMs, cut.signal)]);
    cut.abort();
    if (isLate) await this.kill();
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.isWanted = false;
    await this.#remove();
  }

  async #remove(): Promise<void> {
    this.isAlive = false;
    await removeContainers(this.#deps.host, [this.name]);
    this.#main.signal('SIGKILL');
    await this.ended;
  }
}

type Parts = Readonly<{ main: Spawned; tunnel: Tunnel; complaint: () => string }>;

function client({ env }: DockerHost): Pick<SpawnRequest, 'file' | 'cwd' | 'env'> {
  return { file: 'docker', cwd: '/', env };
}

function startSupervisor({ host }: ContainerDeps, name: string): ProcessSupervisor {
  const words = { file: 'node', args: [inside.supervisor], cwd: '/', names: [], hasInput: true };
  const program = host.spawn({ ...client(host), args: execArgs(name, words), input: 'pipe' });
  listen(program.stderr);
  return new ProcessSupervisor(program);
}

function listen(output: AsyncIterable<Uint8Array>): () => string {
  let text = '';
  void (async () => {
    for await (const chunk of output) if (text.length < 4_000) text += Buffer.from(chunk).toString();
  })();
  return () => shorten(text.trim().replaceAll(/\s+/g, ' '), 600);
}
