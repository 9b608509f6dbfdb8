// One container from start to end: its main process, which carries its connections, its supervisor, and its programs.
import { startClock } from '../process/clock.ts';
import { endsWithin } from '../process/end.ts';
import { neverStarted, type Spawned, type SpawnRequest } from '../process/spawn.ts';
import type { Mark, Process } from '../process/sweep.ts';
import { shorten } from '../shorten.ts';
import { type DockerHost, removeContainers, startFailure } from './docker.ts';
import { type ContainerRequest, execArgs, runArgs } from './docker-args.ts';
import { passedEnvironment } from './env-passthrough.ts';
import {
  type MarkedAsk,
  ProcessSupervisor,
  type SupervisorAnswer,
  type SupervisorAsk,
} from './process-supervisor.ts';
import { type SandboxPlan, signalSeen } from './sandbox.ts';
import { serveTunnel, type Tunnel } from './tunnel.ts';
import { supervisorPort, wireTo } from './wire.ts';

type ContainerDeps = Pick<SandboxPlan, 'onConnection'> & Readonly<{ host: DockerHost }>;

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
    this.#supervisor = parts.supervisor;
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
    const ready = Promise.withResolvers<ProcessSupervisor | undefined>();
    const tunnel = serveTunnel(wireTo(main), (connection, port) => {
      if (port !== supervisorPort) return onConnection(connection, port);
      const supervisor = new ProcessSupervisor(connection);
      void supervisor.ready.then((isReady) => ready.resolve(isReady ? supervisor : undefined));
    });
    const giveUp = () => ready.resolve(undefined);
    for (const { ended } of [main, tunnel]) void ended.then(giveUp);
    const clock = startClock(startMs, giveUp);
    const supervisor = await ready.promise;
    clock.stop();
    if (supervisor) return new Container(deps, request.name, { main, tunnel, complaint, supervisor });
    await removeContainers(host, [request.name]);
    // An engine that hangs holds its client.
    main.signal('SIGKILL');
    await main.ended;
    throw startFailure(complaint());
  }

  /** Those of this container. */
  async signal(processes: readonly Process[], signal: NodeJS.Signals): Promise<void> {
    const own = this.#own(processes);
    if (own.length > 0) await this.#ask({ op: 'signal', processes: own, signal });
  }

  async list(ask: MarkedAsk): Promise<readonly Process[]> {
    const own = ask.op === 'end' ? { ...ask, except: this.#own(ask.except) } : ask;
    const found = (await this.#ask(own))?.processes ?? [];
    return found.map((each) => ({ ...each, container: this.name }));
  }

  #own(processes: readonly Process[]): readonly Process[] {
    return processes.filter(({ container }) => container === this.name);
  }

  /** If its supervisor is gone, ends the container: nothing is running. */
  async #ask(ask: SupervisorAsk): Promise<SupervisorAnswer | undefined> {
    const answer = this.isAlive ? await this.#supervisor.ask(ask) : undefined;
    if (answer === undefined) await this.#remove();
    return answer;
  }

  /** A missing program is reported as on the host. */
  async launch(request: SpawnRequest, mark: Mark): Promise<Spawned> {
    const { file, cwd, input } = request;
    const error = (await this.#ask({ op: 'try', file, cwd }))?.error;
    if (error) return neverStarted(Promise.resolve(Object.assign(new Error(error.message), error)));
    if (!this.isAlive) return neverStarted(Promise.resolve(new Error('the sandbox has ended')));
    const { host } = this.#deps;
    const handed = passedEnvironment(request.env);
    const program = host.spawn({
      ...client(host),
      args: execArgs(this.name, request, Object.keys(handed)),
      env: { ...host.env, ...handed },
      input,
    });
    const send = signalSeen(program.ended, {
      find: () => this.list({ op: 'find', mark, alone: false }),
      signal: (processes, signal) => void this.signal(processes, signal),
    });
    const signal = async (name: NodeJS.Signals) => {
      await send(name);
      // Nothing in it can refuse; the rest is up to the engine.
      if (name === 'SIGKILL' && !(await endsWithin(program, endMs))) await this.#remove();
    };
    // A signal to the client reaches nothing inside, and ends it as if all had gone well.
    return { ...program, signal: (name) => void signal(name) };
  }

  async end(): Promise<void> {
    this.isWanted = false;
    this.isAlive = false;
    this.#tunnel.close();
    this.#main.closeInput();
    if (!(await endsWithin(this.#main, endMs))) await this.#remove();
  }

  async #remove(): Promise<void> {
    this.isAlive = false;
    await removeContainers(this.#deps.host, [this.name]);
    this.#main.signal('SIGKILL');
    await this.ended;
  }
}

type Parts = Readonly<{
  main: Spawned;
  tunnel: Tunnel;
  complaint: () => string;
  supervisor: ProcessSupervisor;
}>;

function client({ env }: DockerHost): Pick<SpawnRequest, 'file' | 'cwd' | 'env'> {
  return { file: 'docker', cwd: '/', env };
}

function listen(output: AsyncIterable<Uint8Array>): () => string {
  let text = '';
  void (async () => {
    for await (const chunk of output) if (text.length < 4_000) text += Buffer.from(chunk).toString();
  })();
  return () => shorten(text.trim().replaceAll(/\s+/g, ' '), 600);
}
