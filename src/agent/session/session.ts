// The one runner of agent processes: starts one, talks to it, watches its clocks, and ends it. The agent's adapter knows
// the CLI; judge-outcome.ts judges.
import type { AgentEvent } from '../../event/activity.ts';
import type { Spawned } from '../../process/spawn.ts';
import type { Process } from '../../process/sweep.ts';
import type { AgentCommand, AgentMessage, Conversation } from '../agent.ts';
import { AgentInput } from './agent-input.ts';
import { CostTracker } from './cost-tracker.ts';
import { CurrentTurn } from './current-turn.ts';
import { describeEnd, findOtherMode } from './describe-turn.ts';
import { LoopDetector } from './loop-detector.ts';
import type { Stopped } from './outcome.ts';
import { OutputReader } from './output-reader.ts';
import { startPulse } from './pulse.ts';
import { describeFlood, endFact, formatAbort, leftoversFact, SessionEvents } from './session-events.ts';
import type { Session, SessionDeps, SessionEnd, SessionPlan, Turn } from './session-plan.ts';
import { SessionProcesses } from './session-processes.ts';
import { SessionState } from './session-state.ts';
import { type StartedAgent, startAgent } from './start-agent.ts';
import { Termination } from './termination.ts';

export function openSession(deps: SessionDeps, plan: SessionPlan): Session {
  return new RunningSession(deps, plan, startAgent(deps, plan));
}

class RunningSession implements Session {
  readonly #deps: SessionDeps;
  readonly #plan: SessionPlan;
  readonly #spawned: Spawned;
  readonly #command: AgentCommand;
  readonly #startedMs = performance.now();
  readonly #state: SessionState;
  readonly #turn: CurrentTurn;
  readonly #cost: CostTracker;
  readonly #conversation: Conversation;
  readonly #input: AgentInput;
  readonly #events: SessionEvents;
  readonly #loops: LoopDetector;
  readonly #processes: SessionProcesses;
  readonly #output: OutputReader;
  readonly #termination: Termination;
  readonly #stopPulse: () => void;
  readonly #leftovers: Process[] = [];
  #end: Promise<SessionEnd> | undefined;
  #failure: unknown;

  constructor(deps: SessionDeps, plan: SessionPlan, started: StartedAgent) {
    this.#deps = deps;
    this.#plan = plan;
    this.#spawned = started.spawned;
    const { plainAnswer } = plan.agent.can;
    this.#state = new SessionState(
      plan.clocks,
      { input: started.command.input, plainAnswer },
      this.#startedMs,
    );
    this.#turn = new CurrentTurn(plan, started.command, deps.emit);
    const { costEveryMs: everyMs, replyMs } = plan.clocks;
    this.#cost = new CostTracker({ everyMs, replyMs }, plan.continues?.earlier);
    const { spawned, conversation, command } = started;
    const isConversation = command.input === 'conversation';
    this.#conversation = conversation;
    this.#command = command;
    this.#input = new AgentInput({ spawned, conversation, isConversation, tellsCost: plan.agent.can.cost });
    const { number: session, task } = plan;
    this.#events = new SessionEvents({ session, task, emit: deps.emit, cost: this.#cost });
    this.#loops = new LoopDetector(plan.loopRule, (reason) => {
      if (this.#turn.isOpen && !this.#termination.isForced) void this.#endAs({ kind: 'stuck', reason });
    });
    this.#processes = new SessionProcesses(deps.sweep, plan.mark, started.spawned.pid);
    this.#output = this.#readOutput(started.spawned, plan);
    this.#output.done.catch((error: unknown) => this.#fail(error));
    this.#termination = new Termination(started.spawned, this.#output.done, () => {
      this.#state.end(performance.now());
      this.#endTurn();
    });
    this.#stopPulse = startPulse(
      (nowMs, lostMs) => this.#lookAtClocks(nowMs, lostMs),
      (error) => this.#fail(error),
    );
    deps.signal?.addEventListener('abort', this.#abort, { once: true });
    this.#input.ask(this.#cost.firstQuestion);
    if (deps.signal?.aborted) this.#abort();
    else this.#begin({ type: 'prompt', text: plan.prompt });
    if (!this.#input.isConversation) this.#spawned.closeInput();
  }

  #readOutput(spawned: Spawned, plan: SessionPlan): OutputReader {
    return new OutputReader(spawned, {
      ...{ rawFile: plan.rawFile, stderrFile: plan.stderrFile, pieces: plan.agent.pieces ?? [] },
      onLine: (line) => this.#hear(line),
      onTooLong: (bytes) => this.#events.tellTooLong(bytes),
      onPiece: () => this.#state.hearPiece(performance.now()),
      mostBytes: plan.mostBytes,
      onFlood: (bytes) => void this.#endAs({ kind: 'stuck', reason: describeFlood(bytes) }),
    });
  }

  firstTurn(): Promise<Turn> {
    return this.#turn.ended;
  }

  async hold(): Promise<readonly Process[]> {
    this.#state.hold();
    const strays = await this.#processes.hold(this.#termination.ended === undefined);
    this.#reportLeftovers(strays);
    return strays;
  }

  correct(text: string): Promise<Turn> {
    this.#processes.release();
    this.#begin({ type: 'correction', text });
    if (this.#termination.ended !== undefined) this.#endTurn();
    return this.#turn.ended;
  }

  async steer(text: string): Promise<boolean> {
    await this.#input.heard;
    if (!this.#turn.isOpen || this.#termination.isForced || !this.#input.isConversation) return false;
    this.#state.sent(performance.now(), { cuts: true });
    return this.#input.say({ type: 'steer', text });
  }

  async stop(reason: string, kind: Stopped['kind'] = 'interrupted'): Promise<void> {
    await this.#endAs({ kind, reason });
    await this.#termination.gone;
  }

  #endAs(stopped: Stopped): Promise<void> {
    this.#turn.stop(stopped);
    return this.#bringDown();
  }

  close(): Promise<SessionEnd> {
    this.#end ??= this.#close();
    return this.#end;
  }

  async #close(): Promise<SessionEnd> {
    this.#processes.release();
    this.#spawned.closeInput();
    this.#state.close(performance.now());
    try {
      await this.#termination.gone;
    } finally {
      this.#stopPulse();
      this.#deps.signal?.removeEventListener('abort', this.#abort);
      this.#reportLeftovers(await this.#processes.endAll());
    }
    if (this.#failure !== undefined) throw this.#failure;
    const end = describeEnd({
      ...{ outcome: this.#turn.outcome, cost: this.#cost },
      ...{ ended: this.#termination.ended, leftovers: this.#leftovers },
      durationMs: Math.round(performance.now() - this.#startedMs),
    });
    this.#deps.emit(endFact(this.#plan.number, end));
    return end;
  }

  /** The environment failed pawl: nobody needs the agent's work any more. */
  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#spawned.signal('SIGKILL');
  }

  #begin(message: Extract<AgentMessage, { text: string }>): void {
    const nowMs = performance.now();
    this.#turn.begin();
    this.#cost.reopen(nowMs);
    this.#state.sent(nowMs);
    void this.#input.say(message);
  }

  #hear(line: string): void {
    const { events, answer } = this.#conversation.read(line);
    if (answer !== undefined) void this.#input.send(answer);
    this.#state.hear(events, performance.now());
    for (const event of events) this.#take(event);
    const { transcript } = this.#turn;
    const isUseless = transcript.refusal ?? findOtherMode(this.#command, transcript);
    if (isUseless !== undefined && this.#turn.isOpen) void this.#bringDown();
    if (this.#state.state === 'idle' && !this.#termination.isForced) this.#endTurn();
  }

  #take(event: AgentEvent): void {
    if (event.type === 'started') for (const each of [this.#processes, this.#input]) each.settle();
    this.#turn.transcript.take(event);
    this.#events.take(event);
    this.#loops.take(event);
  }

  #reportLeftovers(processes: readonly Process[]): void {
    this.#leftovers.push(...processes);
    if (processes.length > 0) this.#deps.emit(leftoversFact(this.#plan.number, processes));
  }

  #endTurn(): void {
    if (!this.#turn.isOpen) return;
    this.#input.settle();
    try {
      if (this.#failure !== undefined) throw this.#failure;
      const { stderr } = this.#output;
      this.#turn.close({ stderr, costUsd: this.#cost.costUsd, ended: this.#termination.ended });
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
    if (this.#state.isAtWork) this.#events.ask(nowMs, this.#input);
  }

  #bringDown(): Promise<void> {
    this.#processes.release();
    // Once its input is closed nothing more can be said.
    const interrupt = this.#state.state === 'draining' ? undefined : this.#input.interruption;
    const { endedBy } = this.#command;
    return this.#termination.bringDown(interrupt, { ...this.#plan.clocks, endedBy });
  }

  readonly #abort = (): void => void this.stop(formatAbort(this.#deps.signal));
}
