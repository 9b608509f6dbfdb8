// The open turn, or the last.
import { defined } from '../../defined.ts';
import type { Emit } from '../../event.ts';
import type { ProcessExit } from '../../process/spawn.ts';
import type { AgentCommand } from '../agent.ts';
import { parseLessons, parseMarker } from '../marker.ts';
import { answerOf, judgeOutcome } from './judge-outcome.ts';
import { turnFact } from './session-events.ts';
import type { Outcome, SessionPlan, Stopped, Turn } from './session-plan.ts';
import type { ClockName } from './session-state.ts';
import { findCannotWork, type TurnFacts, TurnTranscript } from './turn-transcript.ts';

/** Characters at the end of a plain answer that are judged if its program failed. */
const wordsLimit = 2_000;

/** `stderr`: its tail. */
type ProcessFacts = Readonly<{
  stderr: string;
  costUsd: number | undefined;
  ended: ProcessExit | undefined;
}>;

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

  get ended(): Promise<Turn> {
    return this.#end.promise;
  }

  get outcome(): Outcome {
    return this.#outcome;
  }

  begin(): void {
    this.#end = Promise.withResolvers();
    this.transcript.startTurn();
    this.#ring = undefined;
    this.#isOpen = true;
  }

  ring(clock: ClockName): void {
    const { clocks, agent, number: session } = this.#plan;
    const afterMs = clocks[`${clock}Ms`];
    this.#ring = { clock, afterMs, hint: agent.firstEventHint };
    this.#emit({ type: 'clock-rang', session, clock, afterMs });
  }

  /** The first reason counts. */
  stop(stopped: Stopped): void {
    this.#stopped ??= stopped;
  }

  /** Throws whatever kept it from being journaled. */
  close(facts: ProcessFacts): void {
    this.#isOpen = false;
    const turn = this.#describe(facts);
    this.#outcome = turn.outcome;
    this.#number += 1;
    this.#emit(turnFact(this.#plan.number, this.#number, turn));
    this.#end.resolve(turn);
  }

  /** It cannot be judged; who waits is told why. */
  fail(error: unknown): void {
    this.#isOpen = false;
    this.#end.promise.catch(() => {});
    this.#end.reject(error);
  }

  #describe({ stderr, costUsd, ended }: ProcessFacts): Turn {
    const { agent, wasThere, marker: key, prompt, reviewer } = this.#plan;
    const { transcript } = this;
    const { last, answer, limit, retry, refusal, background, noise, spoke, used, contextShare } = transcript;
    const { plainAnswer } = agent.can;
    const facts: TurnFacts = {
      last,
      answer,
      limit,
      retry,
      refusal,
      background,
      ended,
      command: this.#command.file,
      wasThere,
      ring: this.#ring,
      stopped: this.#stopped,
      isUp: transcript.isUp || plainAnswer,
      silentAtLimit: agent.silentAtLimit,
      cannotWork: findCannotWork(this.#command, transcript),
      words: `${noise.slice(-wordsLimit)}\n${stderr}`,
      // An opinion is worth nothing without reading.
      blind: reviewer === undefined || used ? undefined : agent.blindHint,
      plainAnswer: plainAnswer ? noise : undefined,
    };
    const text = answerOf(facts);
    const marker = parseMarker(text, key, plainAnswer && last === undefined ? prompt : undefined);
    const alive = ended === undefined;
    return {
      outcome: judgeOutcome(facts, marker),
      text,
      alive,
      spoke,
      written: [...transcript.written],
      lessons: parseLessons(text, key, prompt),
      canCorrect: alive && agent.can.followUp,
      ...defined({ marker, contextShare, costUsd, structured: answer?.structured }),
    };
  }
}
