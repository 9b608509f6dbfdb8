// The one runner of agent processes.
import { defined } from '../../defined.ts';
import type { AgentEvent } from '../../event/activity.ts';
import type { FactOf } from '../../event.ts';
import type { Process } from '../../process/sweep.ts';
import type { AgentMessage } from '../agent.ts';
import { retryingWaits, type StartedAgent, startAgent, Termination } from './agent-process.ts';
import { CurrentTurn } from './current-turn.ts';
import { OutputReader } from './output-reader.ts';
import { startPulse } from './pulse.ts';
import { CostTracker, tellEvents } from './session-events.ts';
import type { SessionDeps, SessionPlan, Stopped, Turn } from './session-plan.ts';
import { SessionProcesses } from './session-processes.ts';
import { SessionState } from './session-state.ts';
import { findOtherMode } from './turn-transcript.ts';

/** One agent process, always to be closed. */
export class Session {
  readonly plan: SessionPlan;
  readonly #deps: SessionDeps;
  readonly #agent: StartedAgent;
  readonly #startedMs = performance.now();
  readonly #state: SessionState;
  readonly #turn: CurrentTurn;
  readonly #cost: CostTracker;
  readonly #tell: (event: AgentEvent) => void;
  readonly #processes: SessionProcesses;
  readonly #output: OutputReader;
  readonly #termination: Termination;
  readonly #stopPulse: () => void;
  /** The agent has begun on the last text, or never will: what is sent earlier could be read first. */
  #heard = Promise.withResolvers<void>();
  #end: Promise<FactOf<'session-ended'>> | undefined;
  #failure: unknown;

  constructor(deps: SessionDeps, plan: SessionPlan) {
    this.#deps = deps;
    this.plan = plan;
    this.#agent = startAgent(deps, plan);
    const { spawned, command } = this.#agent;
    const { clocks, agent } = plan;
    this.#state = new SessionState(clocks, agent.can, this.#startedMs);
    this.#turn = new CurrentTurn(plan, command, deps.emit);
    this.#cost = new CostTracker(clocks.costEveryMs, plan.continues?.earlier);
    this.#tell = tellEvents(plan, this.#cost, deps.emit);
    this.#processes = new SessionProcesses(deps.sweep, plan.mark, spawned.pid);
    this.#output = this.#readOutput();
    this.#output.done.catch((error: unknown) => this.#fail(error));
    this.#termination = new Termination(spawned, this.#output.done, () => {
      this.#state.end(performance.now());
      this.#endTurn();
    });
    this.#stopPulse = startPulse(
      (nowMs, lostMs) => this.#lookAtClocks(nowMs, lostMs),
      (error) => this.#fail(error),
    );
    deps.signal?.addEventListener('abort', this.#abort, { once: true });
    this.#askCost(this.#cost.firstQuestion);
    if (deps.signal?.aborted) this.#abort();
    else this.#begin({ type: 'prompt', text: plan.prompt });
    if (!agent.can.followUp) spawned.closeInput();
  }

  #readOutput(): OutputReader {
    return new OutputReader(this.#agent.spawned, {
      ...this.plan,
      onLine: (line) => this.#hear(line),
      onPiece: () => this.#state.hearPiece(performance.now()),
      onFlood: (bytes) => {
        const reason = `it printed more than ${Math.round(bytes / 1024 ** 2)} MB; what came after that was not kept`;
        void this.#endAs({ kind: 'stuck', reason });
      },
    });
  }

  /** Rejects only with a Failure of the environment. */
  firstTurn(): Promise<Turn> {
    return this.#turn.ended;
  }

  /** Between turns: ends what the turn left, stops the rest, and returns what was ended. */
  async hold(): Promise<readonly Process[]> {
    const strays = await this.#processes.hold(this.#termination.ended === undefined);
    this.#reportLeftovers(strays);
    return strays;
  }

  /** Resumes it; resolves with that turn's end, at once if the process is dead. */
  correct(text: string): Promise<Turn> {
    this.#processes.release();
    this.#begin({ type: 'correction', text });
    if (this.#termination.ended !== undefined) this.#endTurn();
    return this.#turn.ended;
  }

  /** Interrupts the turn, which goes on with this; false if it is over or the agent cannot be told. */
  async steer(text: string): Promise<boolean> {
    // One that prints plain text never says that it has begun.
    if (!this.plan.agent.can.followUp) return false;
    await this.#heard.promise;
    if (!this.#turn.isOpen || this.#termination.isForced) return false;
    this.#state.sent(performance.now(), { cuts: true });
    return this.#say({ type: 'steer', text });
  }

  /** Interrupts and terminates it; the turn ends as `kind`. `close` must follow. */
  async stop(reason: string, kind: Stopped['kind'] = 'interrupted'): Promise<void> {
    await this.#endAs({ kind, reason });
    await this.#termination.gone;
  }

  #endAs(stopped: Stopped): Promise<void> {
    this.#turn.stop(stopped);
    return this.#bringDown();
  }

  /** Lets it exit, or makes it, and sweeps; every call returns the same fact. */
  close(): Promise<FactOf<'session-ended'>> {
    this.#end ??= this.#close();
    return this.#end;
  }

  async #close(): Promise<FactOf<'session-ended'>> {
    this.#processes.release();
    this.#agent.spawned.closeInput();
    this.#state.close(performance.now());
    try {
      await this.#termination.gone;
    } finally {
      this.#stopPulse();
      this.#deps.signal?.removeEventListener('abort', this.#abort);
      this.#reportLeftovers(await this.#processes.endAll());
    }
    if (this.#failure !== undefined) throw this.#failure;
    const { ended } = this.#termination;
    // What could not be started has cost nothing, which is known.
    const hasBegun = ended?.startError === undefined;
    const { kind, reason } = this.#turn.outcome;
    const end: FactOf<'session-ended'> = {
      type: 'session-ended',
      session: this.plan.number,
      outcome: kind,
      reason,
      ...defined({ costUsd: hasBegun ? this.#cost.costUsd : 0, tokens: this.#cost.tokens }),
      costAtLeast: hasBegun && !this.#cost.isFinal,
      durationMs: Math.round(performance.now() - this.#startedMs),
      exitCode: ended?.code ?? null,
      signal: ended?.signal ?? null,
    };
    this.#deps.emit(end);
    return end;
  }

  /** Nobody needs the agent's work any more. */
  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#agent.spawned.signal('SIGKILL');
  }

  #begin(message: Extract<AgentMessage, { text: string }>): void {
    const nowMs = performance.now();
    this.#turn.begin();
    this.#cost.reopen(nowMs);
    this.#state.sent(nowMs);
    void this.#say(message);
  }

  /** False if the protocol cannot express it, or the agent does not accept it. */
  async #say(message: AgentMessage): Promise<boolean> {
    if ('text' in message) this.#heard = Promise.withResolvers();
    const lines = this.#agent.conversation.write(message);
    return lines !== undefined && (lines === '' || this.#agent.spawned.send(lines));
  }

  #askCost(id: string | undefined): void {
    const { followUp, cost } = this.plan.agent.can;
    if (id !== undefined && followUp && cost) void this.#say({ type: 'cost', id });
  }

  #hear(line: string): void {
    const { events, answer } = this.#agent.conversation.read(line);
    if (answer) void this.#agent.spawned.send(answer);
    this.#state.hear(events, performance.now());
    for (const event of events) this.#take(event);
    const { transcript } = this.#turn;
    const isUseless = transcript.refusal ?? findOtherMode(this.#agent.command, transcript);
    if (isUseless !== undefined && this.#turn.isOpen) void this.#bringDown();
    if (this.#state.state === 'idle' && !this.#termination.isForced) this.#endTurn();
  }

  #take(event: AgentEvent): void {
    if (event.type === 'started') {
      this.#processes.settle();
      this.#heard.resolve();
    }
    this.#turn.transcript.take(event);
    this.#tell(event);
  }

  #reportLeftovers(processes: readonly Process[]): void {
    const ended = processes.map(({ pid, command }) => ({ pid, command }));
    const session = this.plan.number;
    if (ended.length > 0) this.#deps.emit({ type: 'leftovers-ended', session, processes: ended });
  }

  #endTurn(): void {
    if (!this.#turn.isOpen) return;
    this.#heard.resolve();
    try {
      if (this.#failure !== undefined) throw this.#failure;
      this.#turn.close({ stderr: this.#output.stderr, ended: this.#termination.ended });
    } catch (error) {
      this.#fail(error);
      this.#turn.fail(error);
    }
  }

  #lookAtClocks(nowMs: number, lostMs: number): void {
    this.#state.forgive(lostMs);
    const clock = this.#state.ring(nowMs);
    if (this.#termination.isForced) return;
    if (clock !== undefined) {
      this.#turn.ring(clock);
      void this.#bringDown();
    } else if (this.#state.state === 'idle') this.#endTurn();
    if (this.#state.isAtWork) this.#askCost(this.#cost.question(nowMs));
  }

  #bringDown(): Promise<void> {
    this.#processes.release();
    const { isRetrying } = this.#turn;
    // Nothing can be said to a closed input.
    const hears = !isRetrying && this.#state.state !== 'draining' && this.plan.agent.can.followUp;
    const interrupt = hears ? this.#agent.conversation.write({ type: 'interrupt' }) : undefined;
    return this.#termination.bringDown(interrupt, isRetrying ? retryingWaits : this.plan.clocks);
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#deps.signal?.reason;
    void this.stop(typeof reason === 'string' ? reason : 'pawl was interrupted');
  };
}
