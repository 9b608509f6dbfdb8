// Starts an agent's process, and ends it.
import { defined } from '../../defined.ts';
import { endsWithin, terminate } from '../../process/end.ts';
import { childEnvironment } from '../../process/environment.ts';
import type { ProcessExit, Spawned } from '../../process/spawn.ts';
import type { AgentCommand, Conversation } from '../agent.ts';
import type { SessionDeps, SessionPlan } from './session-plan.ts';

type Waits = Readonly<{ interruptMs: number; termMs: number }>;

/** For an agent that waits to try its API again: it hears nothing, and has nothing to end. */
export const retryingWaits: Waits = { interruptMs: 0, termMs: 2_000 };

export class Termination {
  /** The process is gone and its output read, or pawl goes on without it. */
  readonly gone: Promise<void>;
  readonly #spawned: Spawned;
  readonly #lost = Promise.withResolvers<ProcessExit>();
  ended: ProcessExit | undefined;
  #down: Promise<void> | undefined;

  /** `read`: its output was read to the end. `onGone`: called once, before `gone` resolves. */
  constructor(spawned: Spawned, read: Promise<void>, onGone: () => void) {
    this.#spawned = spawned;
    this.gone = this.#watch(read, onGone);
  }

  get isForced(): boolean {
    return this.#down !== undefined;
  }

  /** Once; resolves when done or given up. `interrupt`: the line that stops its work. */
  bringDown(interrupt: string | undefined, waits: Waits): Promise<void> {
    this.#down ??= this.#bringDown(interrupt, waits);
    return this.#down;
  }

  async #bringDown(interrupt: string | undefined, { interruptMs, termMs }: Waits): Promise<void> {
    if (interrupt !== undefined) {
      void this.#spawned.send(interrupt);
      // After the interrupt it exits at the end of its input.
      this.#spawned.closeInput();
      if (await endsWithin(this.#spawned, interruptMs)) return;
    }
    if (await terminate(this.#spawned, termMs)) return;
    this.#lost.resolve({ code: null, signal: null });
  }

  async #watch(read: Promise<void>, onGone: () => void): Promise<void> {
    const ended = await Promise.race([this.#spawned.ended, this.#lost.promise]);
    // A process that cannot be killed keeps its output open.
    await Promise.race([read.catch(() => {}), this.#lost.promise]);
    this.ended = ended;
    onGone();
  }
}

export type StartedAgent = Readonly<{ spawned: Spawned; command: AgentCommand; conversation: Conversation }>;

/** If it could not be started, the fact has process id 0. */
export function startAgent(deps: SessionDeps, plan: SessionPlan): StartedAgent {
  const command = plan.agent.command(plan.request);
  const spawned = deps.spawn({
    file: command.file,
    args: command.args,
    cwd: plan.cwd,
    env: childEnvironment(plan.env, { set: command.env, mark: plan.mark }),
    input: 'pipe',
  });
  try {
    deps.emit({
      type: 'session-started',
      session: plan.number,
      role: plan.role,
      cwd: plan.cwd,
      agent: plan.agent.name,
      pid: spawned.pid ?? 0,
      mark: plan.mark.slice(plan.mark.indexOf('=') + 1),
      configKeptOut: !plan.request.trusted,
      ...defined({
        task: plan.task,
        attempt: plan.attempt,
        reviewer: plan.reviewer,
        insteadOf: plan.insteadOf,
        uses: plan.agent.uses,
        model: plan.request.model,
        maxCostUsd: plan.request.maxCostUsd,
        notes: plan.notes?.length ? [...plan.notes] : undefined,
        continues: plan.continues?.session,
      }),
    });
  } catch (error) {
    // Without the fact nobody would know about it.
    spawned.signal('SIGKILL');
    throw error;
  }
  return { spawned, command, conversation: plan.agent.open({ request: plan.request, cwd: plan.cwd }) };
}
