// The open turn, or the last one: what was said in it, what ended it, and who waits for its end.
import type { Emit } from '../../event.ts';
import type { ProcessExit } from '../../process/spawn.ts';
import type { AgentCommand } from '../agent.ts';
import type { ClockName } from './clocks.ts';
import { describeTurn } from './describe-turn.ts';
import type { Outcome, Stopped, TurnFacts } from './outcome.ts';
import { turnFact } from './session-events.ts';
import type { SessionPlan, Turn } from './session-plan.ts';
import { TurnTranscript } from './turn-transcript.ts';

export class CurrentTurn {
  readonly transcript: TurnTranscript;
  readonly #plan: SessionPlan;
  readonly #command: AgentCommand;
  readonly #emit: Emit;
  #end = Promise.withResolvers<Turn>();
  #number = 0;
  #isOpen = true;
  #ring: TurnFacts['ring'];
  #stopped: TurnFacts['stopped'];
  #outcome: Outcome = { kind: 'interrupted', reason: 'no turn finished' };

  constructor(plan: SessionPlan, command: AgentCommand, emit: Emit) {
    this.transcript = new TurnTranscript(plan.agent.can.plainAnswer);
    this.#plan = plan;
    this.#command = command;
    this.#emit = emit;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves with the end of the turn. */
  get ended(): Promise<Turn> {
    return this.#end.promise;
  }

  /** The outcome of the last turn that ended. */
  get outcome(): Outcome {
    return this.#outcome;
  }

  /** Another turn begins, with a promise of its own. */
  begin(): void {
    this.#end = Promise.withResolvers();
    this.transcript.startTurn();
    this.#ring = undefined;
    this.#isOpen = true;
  }

  /** A clock has rung in it. */
  ring(clock: ClockName): void {
    const { clocks, agent, number: session } = this.#plan;
    const afterMs = clocks[`${clock}Ms`];
    this.#ring = { clock, afterMs, hint: agent.firstEventHint };
    this.#emit({ type: 'clock-rang', session, clock, afterMs });
  }

  /** pawl itself ends the session; the first reason counts. */
  stop(stopped: Stopped): void {
    this.#stopped ??= stopped;
  }

  /** It is over, and is judged; throws whatever kept that from being journaled. */
  close(
    parts: Readonly<{ stderr: string; costUsd: number | undefined; ended: ProcessExit | undefined }>,
  ): void {
    this.#isOpen = false;
    const { agent, wasThere, marker, prompt, reviewer, number: session } = this.#plan;
    const turn = describeTurn({
      ...{ agent, wasThere, marker, prompt, reviewer, command: this.#command, transcript: this.transcript },
      ...{ ring: this.#ring, stopped: this.#stopped, ...parts },
    });
    this.#outcome = turn.outcome;
    this.#number += 1;
    this.#emit(turnFact(session, this.#number, turn));
    this.#end.resolve(turn);
  }

  /** It is over but cannot be judged; whoever waits for it is told why. */
  fail(error: unknown): void {
    this.#isOpen = false;
    this.#end.promise.catch(() => {});
    this.#end.reject(error);
  }
}
