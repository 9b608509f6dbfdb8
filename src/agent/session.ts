// The one runner of agent processes: starts one, talks with it, keeps its clocks, and brings it down. It knows no CLI
// (an agent's pure functions do) and judges nothing (outcome.ts does).
import type { AgentEvent } from '../event/activity.ts';
import type { Ended, Spawned } from '../process/spawn.ts';
import type { Process } from '../process/sweep.ts';
import type { AgentCommand, AgentMessage } from './agent.ts';
import { Bill } from './bill.ts';
import { CircleWatch } from './circle.ts';
import type { ClockName } from './clocks.ts';
import { Ear } from './ear.ts';
import { Herald } from './herald.ts';
import { bringDown } from './ladder.ts';
import { Leash } from './leash.ts';
import { Life } from './life.ts';
import { Mouth } from './mouth.ts';
import type { Outcome, Stopped, TurnFacts } from './outcome.ts';
import { startPulse } from './pulse.ts';
import { endFact, leftoversFact, turnFact, wordAbort } from './session-facts.ts';
import type { Session, SessionDeps, SessionEnd, SessionPlan, Turn } from './session-plan.ts';
import { type Started, startAgent } from './session-start.ts';
import { describeEnd, describeTurn } from './session-turn.ts';
import { Hearing } from './turn.ts';

/** Starts an agent and sends it the prompt. */
export function openSession(deps: SessionDeps, plan: SessionPlan): Session {
  return new RunningSession(deps, plan, startAgent(deps, plan));
}

class RunningSession implements Session {
  readonly #deps: SessionDeps;
  readonly #plan: SessionPlan;
  readonly #spawned: Spawned;
  readonly #command: AgentCommand;
  readonly #startedMs = performance.now();
  readonly #life: Life;
  readonly #hearing: Hearing;
  readonly #bill: Bill;
  readonly #mouth: Mouth;
  readonly #herald: Herald;
  readonly #circles: CircleWatch;
  readonly #leash: Leash;
  readonly #ear: Ear;
  readonly #gone: Promise<void>;
  readonly #stopPulse: () => void;
  readonly #leftovers: Process[] = [];
  #turn = Promise.withResolvers<Turn>();
  #turns = 0;
  #isTurnOpen = true;
  #ended: Ended | undefined;
  readonly #lost = Promise.withResolvers<Ended>();
  #ring: TurnFacts['ring'];
  #stopped: TurnFacts['stopped'];
  #down: Promise<void> | undefined;
  #end: Promise<SessionEnd> | undefined;
  #outcome: Outcome = { kind: 'interrupted', reason: 'no turn came to an end' };
  #failure: unknown;

  constructor(deps: SessionDeps, plan: SessionPlan, started: Started) {
    this.#deps = deps;
    this.#plan = plan;
    this.#spawned = started.spawned;
    this.#command = started.command;
    const { plainAnswer } = plan.agent.can;
    this.#life = new Life(plan.clocks, { input: started.command.input, plainAnswer }, this.#startedMs);
    this.#hearing = new Hearing(plainAnswer);
    const { costEveryMs: everyMs, replyMs } = plan.clocks;
    this.#bill = new Bill({ everyMs, replyMs }, plan.continues?.earlier);
    this.#mouth = new Mouth(plan.agent, started.spawned, started.command);
    const { number: session, task } = plan;
    this.#herald = new Herald({ session, task, emit: deps.emit, bill: this.#bill });
    this.#circles = new CircleWatch(plan.circles, (reason) => {
      if (this.#isTurnOpen && this.#down === undefined) void this.#endAs({ kind: 'stuck', reason });
    });
    this.#leash = new Leash(deps.sweep, plan.mark, started.spawned.pid);
    this.#ear = new Ear(started.spawned, {
      ...{ rawFile: plan.rawFile, stderrFile: plan.stderrFile, pieces: plan.agent.pieces ?? [] },
      onLine: (line) => this.#hear(line),
      onTooLong: (bytes) => this.#herald.tellTooLong(bytes),
      onPiece: () => this.#life.hearPiece(performance.now()),
    });
    this.#gone = this.#watch();
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
    return this.#turn.promise;
  }

  async hold(): Promise<readonly Process[]> {
    this.#life.hold();
    const strays = await this.#leash.hold(this.#ended === undefined);
    this.#reportLeftovers(strays);
    return strays;
  }

  correct(text: string): Promise<Turn> {
    this.#turn = Promise.withResolvers<Turn>();
    this.#leash.release();
    this.#begin({ type: 'correction', text });
    if (this.#ended !== undefined) this.#endTurn();
    return this.#turn.promise;
  }

  async steer(text: string): Promise<boolean> {
    await this.#mouth.heard;
    if (!this.#isTurnOpen || this.#down !== undefined || !this.#mouth.isConversation) return false;
    this.#life.sent(performance.now(), { cuts: true });
    return this.#mouth.say({ type: 'steer', text });
  }

  async stop(reason: string, kind: Stopped['kind'] = 'interrupted'): Promise<void> {
    await this.#endAs({ kind, reason });
    await this.#gone;
  }

  #endAs(stopped: Stopped): Promise<void> {
    this.#stopped ??= stopped;
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
      await this.#gone;
    } finally {
      this.#stopPulse();
      this.#deps.signal?.removeEventListener('abort', this.#abort);
      this.#reportLeftovers(await this.#leash.endAll());
    }
    if (this.#failure !== undefined) throw this.#failure;
    const end = describeEnd({
      ...{ outcome: this.#outcome, bill: this.#bill, ended: this.#ended, leftovers: this.#leftovers },
      durationMs: Math.round(performance.now() - this.#startedMs),
    });
    this.#deps.emit(endFact(this.#plan.number, end));
    return end;
  }

  /** Waits for the end of the process and of what it printed; then the open turn is over. */
  async #watch(): Promise<void> {
    this.#ear.done.catch((error: unknown) => this.#fail(error));
    const ended = await Promise.race([this.#spawned.ended, this.#lost.promise]);
    // What cannot be killed holds its output open for ever.
    await Promise.race([this.#ear.done.catch(() => {}), this.#lost.promise]);
    this.#ended = ended;
    this.#life.end(performance.now());
    this.#endTurn();
  }

  /** The environment failed pawl: the agent works for nobody any more. */
  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#spawned.signal('SIGKILL');
  }

  #begin(message: Extract<AgentMessage, { text: string }>): void {
    const nowMs = performance.now();
    this.#hearing.startTurn();
    this.#bill.reopen(nowMs);
    this.#ring = undefined;
    this.#isTurnOpen = true;
    this.#life.sent(nowMs);
    void this.#mouth.say(message);
  }

  #hear(line: string): void {
    const events = this.#plan.agent.read(line);
    this.#life.hear(events, performance.now());
    for (const event of events) this.#take(event);
    if (this.#hearing.refusal !== undefined && this.#isTurnOpen) void this.#bringDown();
    if (this.#life.state === 'idle' && this.#down === undefined) this.#endTurn();
  }

  #take(event: AgentEvent): void {
    if (event.type === 'started') for (const each of [this.#leash, this.#mouth]) each.settle();
    this.#hearing.take(event);
    this.#herald.take(event);
    this.#circles.take(event);
  }

  #reportLeftovers(processes: readonly Process[]): void {
    this.#leftovers.push(...processes);
    if (processes.length > 0) this.#deps.emit(leftoversFact(this.#plan.number, processes));
  }

  #endTurn(): void {
    if (!this.#isTurnOpen) return;
    this.#isTurnOpen = false;
    this.#mouth.settle();
    try {
      if (this.#failure !== undefined) throw this.#failure;
      const turn = describeTurn({
        ...{ agent: this.#plan.agent, marker: this.#plan.marker, reviewer: this.#plan.reviewer },
        ...{ hearing: this.#hearing, stderr: this.#ear.stderr, costUsd: this.#bill.costUsd },
        ...{ command: this.#command, ended: this.#ended, ring: this.#ring, stopped: this.#stopped },
      });
      this.#outcome = turn.outcome;
      this.#turns += 1;
      this.#deps.emit(turnFact(this.#plan.number, this.#turns, turn));
      this.#turn.resolve(turn);
    } catch (error) {
      this.#fail(error);
      this.#turn.promise.catch(() => {});
      this.#turn.reject(error);
    }
  }

  #lookAtClocks(nowMs: number, lostMs: number): void {
    this.#life.forgive(lostMs);
    const clock = this.#life.ring(nowMs);
    if (this.#down !== undefined) return;
    if (clock !== undefined) this.#takeRing(clock);
    else if (this.#life.state === 'idle') this.#endTurn();
    if (this.#life.isAtWork) this.#herald.ask(nowMs, this.#mouth);
  }

  #takeRing(clock: ClockName): void {
    const afterMs = this.#plan.clocks[`${clock}Ms`];
    this.#ring = { clock, afterMs, hint: this.#plan.agent.firstEventHint };
    this.#deps.emit({ type: 'clock-rang', session: this.#plan.number, clock, afterMs });
    void this.#bringDown();
  }

  #bringDown(): Promise<void> {
    this.#leash.release();
    // Once its input is closed there is nothing left to say.
    const interrupt = this.#life.state === 'draining' ? undefined : this.#mouth.interruption;
    this.#down ??= bringDown(this.#spawned, interrupt, this.#plan.clocks).then((isGone) => {
      if (!isGone) this.#lost.resolve({ code: null, signal: null });
    });
    return this.#down;
  }

  readonly #abort = (): void => void this.stop(wordAbort(this.#deps.signal));
}
