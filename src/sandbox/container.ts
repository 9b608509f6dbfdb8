// One container from start to end: its main process, which carries its connections, its supervisor, and its programs.
import type { Duplex } from 'node:stream';
import { Failure } from '../failure.ts';
import { sleep } from '../process/clock.ts';
import { neverStarted, type Spawned, type SpawnRequest } from '../process/spawn.ts';
import type { Mark } from '../process/sweep.ts';
import { shorten } from '../shorten.ts';
import { type DockerHost, removeContainers, startFailure } from './docker.ts';
import { type ContainerRequest, execArgs, inside, runArgs } from './docker-args.ts';
import { type IsAgents, passedEnvironment } from './env-passthrough.ts';
import { ProcessSupervisor, type SupervisorAnswer, type SupervisorAsk } from './process-supervisor.ts';
import { serveTunnel, type Tunnel } from './tunnel.ts';
import { wireTo } from './wire.ts';

export type ContainerDeps = Readonly<{
  host: DockerHost;
  onConnection: (connection: Duplex, port: number) => void;
  /** Entries of `sandbox.env`. */
  wanted: readonly string[];
  isAgents: IsAgents;
}>;

/** A storage driver that copies whole images is slow. */
const startMs = 120_000;

const endMs = 2_000;

export class Container {
  readonly #deps: ContainerDeps;
  readonly #main: Spawned;
  readonly #tunnel: Tunnel;
  readonly #supervisor: ProcessSupervisor;
  readonly name: string;
  /** It accepts programs. */
  isAlive = true;
  /** Nobody has asked it to end. */
  isWanted = true;
  /** With docker's last words. */
  readonly ended: Promise<string>;

  private constructor(deps: ContainerDeps, name: string, parts: Parts) {
    this.#deps = deps;
    this.name = name;
    this.#main = parts.main;
    this.#tunnel = parts.tunnel;
    this.#supervisor = startSupervisor(deps, name);
    let broken: string | undefined;
    // Pawl's own program keeps the tunnel's rules: this is another.
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

  /** Throws Failure('environment') with docker's words. */
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

  /** If its supervisor is gone, ends the container: nothing is running. */
  async ask(ask: SupervisorAsk): Promise<SupervisorAnswer> {
    const answer = this.isAlive ? await this.#supervisor.ask(ask) : undefined;
    if (answer === undefined) await this.#remove();
    return answer ?? { id: 0, processes: [] };
  }

  /** A missing program is reported as on the host. */
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
      // A signal to the client reaches nothing inside, and ends it as if all had gone well.
      signal: (signal) => void this.#signal(mark, signal, () => isOver),
    };
  }

  async #signal(mark: Mark, signal: NodeJS.Signals, isOver: () => boolean): Promise<void> {
    for (let tries = 0; tries < 20 && !isOver(); tries += 1) {
      // A program just started may not be visible yet.
      if ((await this.ask({ op: 'signal-group', mark, signal })).found || signal === 'SIGCONT') break;
      await sleep(100);
    }
    if (signal !== 'SIGKILL') return;
    // Nothing in it can refuse; the rest is up to the engine.
    await sleep(endMs);
    if (!isOver()) await this.#remove();
  }

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
