// The one runner of agent processes: starts one, talks with it, keeps its clocks, and brings it down. It knows no CLI
// (an agent's pure functions do) and judges nothing (judge-outcome.ts does).
import type { AgentEvent } from '../event/activity.ts';
import type { Spawned } from '../process/spawn.ts';
import type { Process } from '../process/sweep.ts';
import type { AgentMessage } from './agent.ts';
import { Bill } from './bill.ts';
import { CircleWatch } from './circle.ts';
import { Ear } from './ear.ts';
import { Going } from './going.ts';
import { Herald } from './herald.ts';
import { Leash } from './leash.ts';
import { Life } from './life.ts';
import { Mouth } from './mouth.ts';
import { OpenTurn } from './open-turn.ts';
import type { Stopped } from './outcome.ts';
import { startPulse } from './pulse.ts';
import { describeFlood, endFact, formatAbort, leftoversFact } from './session-facts.ts';
import type { Session, SessionDeps, SessionEnd, SessionPlan, Turn } from './session-plan.ts';
import { type Started, startAgent } from './session-start.ts';
import { describeEnd } from './session-turn.ts';

/** Starts an agent and sends it the prompt. */
export function openSession(deps: SessionDeps, plan: SessionPlan): Session {
  return new RunningSession(deps, plan, startAgent(deps, plan));
}

class RunningSession implements Session {
  readonly #deps: SessionDeps;
  readonly #plan: SessionPlan;
  readonly #spawned: Spawned;
  readonly #startedMs = performance.now();
  readonly #life: Life;
  readonly #turn: OpenTurn;
  readonly #bill: Bill;
  readonly #mouth: Mouth;
  readonly #herald: Herald;
  readonly #circles: CircleWatch;
  readonly #leash: Leash;
  readonly #ear: Ear;
  readonly #going: Going;
  readonly #stopPulse: () => void;
  readonly #leftovers: Process[] = [];
  #end: Promise<SessionEnd> | undefined;
  #failure: unknown;

  constructor(deps: SessionDeps, plan: SessionPlan, started: Started) {
    this.#deps = deps;
    this.#plan = plan;
    this.#spawned = started.spawned;
    const { plainAnswer } = plan.agent.can;
    this.#life = new Life(plan.clocks, { input: started.command.input, plainAnswer }, this.#startedMs);
    this.#turn = new OpenTurn(plan, started.command, deps.emit);
    const { costEveryMs: everyMs, replyMs } = plan.clocks;
    this.#bill = new Bill({ everyMs, replyMs }, plan.continues?.earlier);
    this.#mouth = new Mouth(plan.agent, started.spawned, started.command);
    const { number: session, task } = plan;
    this.#herald = new Herald({ session, task, emit: deps.emit, bill: this.#bill });
    this.#circles = new CircleWatch(plan.circles, (reason) => {
      if (this.#turn.isOpen && !this.#going.isForced) void this.#endAs({ kind: 'stuck', reason });
    });
    this.#leash = new Leash(deps.sweep, plan.mark, started.spawned.pid);
    this.#ear = new Ear(started.spawned, {
      ...{ rawFile: plan.rawFile, stderrFile: plan.stderrFile, pieces: plan.agent.pieces ?? [] },
      onLine: (line) => this.#hear(line),
      onTooLong: (bytes) => this.#herald.tellTooLong(bytes),
      onPiece: () => this.#life.hearPiece(performance.now()),
      mostBytes: plan.mostBytes,
      onFlood: (bytes) => void this.#endAs({ kind: 'stuck', reason: describeFlood(bytes) }),
    });
    this.#ear.done.catch((error: unknown) => this.#fail(error));
    this.#going = new Going(started.spawned, this.#ear.done, () => {
      this.#life.end(performance.now());
      this.#endTurn();
    });
    this.#stopPulse = startPulse(
      (nowMs, lostMs) => this.#lookAtClocks(nowMs, lostMs),
      (error) => this.#fail(error),
    );
    deps.signal?.addEventListener('abort', this.#abort, { once: true });
    this.#mouth.ask(this.#bill.firstQuestion);
    if (deps.signal?.aborted) this.#abort();
    else this.#begin({ type: 'prompt', text: plan.prompt });
    if (!this.#mouth.isConversation) this.#spawned.closeInput();
  }

  firstTurn(): Promise<Turn> {
    return this.#turn.ended;
  }

  async hold(): Promise<readonly Process[]> {
    this.#life.hold();
    const strays = await this.#leash.hold(this.#going.ended === undefined);
    this.#reportLeftovers(strays);
    return strays;
  }

  correct(text: string): Promise<Turn> {
    this.#leash.release();
    this.#begin({ type: 'correction', text });
    if (this.#going.ended !== undefined) this.#endTurn();
    return this.#turn.ended;
  }

  async steer(text: string): Promise<boolean> {
    await this.#mouth.heard;
    if (!this.#turn.isOpen || this.#going.isForced || !this.#mouth.isConversation) return false;
    this.#life.sent(performance.now(), { cuts: true });
    return this.#mouth.say({ type: 'steer', text });
  }

  async stop(reason: string, kind: Stopped['kind'] = 'interrupted'): Promise<void> {
    await this.#endAs({ kind, reason });
    await this.#going.gone;
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
    this.#leash.release();
    this.#spawned.closeInput();
    this.#life.close(performance.now());
    try {
      await this.#going.gone;
    } finally {
      this.#stopPulse();
      this.#deps.signal?.removeEventListener('abort', this.#abort);
      this.#reportLeftovers(await this.#leash.endAll());
    }
    if (this.#failure !== undefined) throw this.#failure;
    const end = describeEnd({
      ...{ outcome: this.#turn.outcome, bill: this.#bill },
      ...{ ended: this.#going.ended, leftovers: this.#leftovers },
      durationMs: Math.round(performance.now() - this.#startedMs),
    });
    this.#deps.emit(endFact(this.#plan.number, end));
    return end;
  }

  /** The environment failed pawl: the agent works for nobody any more. */
  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#spawned.signal('SIGKILL');
  }

  #begin(message: Extract<AgentMessage, { text: string }>): void {
    const nowMs = performance.now();
    this.#turn.begin();
    this.#bill.reopen(nowMs);
    this.#life.sent(nowMs);
    void this.#mouth.say(message);
  }

  #hear(line: string): void {
    const events = this.#plan.agent.read(line);
    this.#life.hear(events, performance.now());
    for (const event of events) this.#take(event);
    if (this.#turn.hearing.refusal !== undefined && this.#turn.isOpen) void this.#bringDown();
    if (this.#life.state === 'idle' && !this.#going.isForced) this.#endTurn();
  }

  #take(event: AgentEvent): void {
    if (event.type === 'started') for (const each of [this.#leash, this.#mouth]) each.settle();
    this.#turn.hearing.take(event);
    this.#herald.take(event);
    this.#circles.take(event);
  }

  #reportLeftovers(processes: readonly Process[]): void {
    this.#leftovers.push(...processes);
    if (processes.length > 0) this.#deps.emit(leftoversFact(this.#plan.number, processes));
  }

  #endTurn(): void {
    if (!this.#turn.isOpen) return;
    this.#mouth.settle();
    try {
      if (this.#failure !== undefined) throw this.#failure;
      const { stderr } = this.#ear;
      this.#turn.close({ stderr, costUsd: this.#bill.costUsd, ended: this.#going.ended });
    } catch (error) {
      this.#fail(error);
      this.#turn.fail(error);
    }
  }

  #lookAtClocks(nowMs: number, lostMs: number): void {
    this.#life.forgive(lostMs);
    const clock = this.#life.ring(nowMs);
    if (this.#going.isForced) return;
    if (clock !== undefined) {
      this.#turn.ring(clock);
      void this.#bringDown();
    } else if (this.#life.state === 'idle') this.#endTurn();
    if (this.#life.isAtWork) this.#herald.ask(nowMs, this.#mouth);
  }

  #bringDown(): Promise<void> {
    this.#leash.release();
    // Once its input is closed there is nothing left to say.
    const interrupt = this.#life.state === 'draining' ? undefined : this.#mouth.interruption;
    return this.#going.bringDown(interrupt, this.#plan.clocks);
  }

  readonly #abort = (): void => void this.stop(formatAbort(this.#deps.signal));
}
