// The open turn, or the last.
import { defined, ifAny } from '../../defined.ts';
import type { Emit } from '../../event.ts';
import type { AgentCommand } from '../agent.ts';
import { parseLessons, parseMarker } from '../marker.ts';
import { answerOf, judgeOutcome, type TurnFacts } from './judge-outcome.ts';
import type { Outcome, SessionPlan, Stopped, Turn } from './session-plan.ts';
import type { ClockName } from './session-state.ts';
import { TurnTranscript } from './turn-transcript.ts';

type ProcessFacts = Pick<TurnFacts, 'stderr' | 'ended'>;

export class CurrentTurn {
  readonly transcript = new TurnTranscript();
  readonly #plan: SessionPlan;
  readonly #command: AgentCommand;
  readonly #emit: Emit;
  #end = Promise.withResolvers<Turn>();
  #number = 0;
  isOpen = true;
  #ring: TurnFacts['ring'];
  #stopped: TurnFacts['stopped'];
  outcome: Outcome = { kind: 'interrupted', reason: 'no turn finished' };

  constructor(plan: SessionPlan, command: AgentCommand, emit: Emit) {
    this.#plan = plan;
    this.#command = command;
    this.#emit = emit;
  }

  /** The agent waits to try its API again. */
  get isRetrying(): boolean {
    return this.isOpen && this.transcript.retry !== undefined;
  }

  get ended(): Promise<Turn> {
    return this.#end.promise;
  }

  begin(): void {
    this.#end = Promise.withResolvers();
    this.transcript.startTurn();
    this.#ring = undefined;
    this.isOpen = true;
  }

  ring(clock: ClockName): void {
    const { clocks, number: session } = this.#plan;
    const afterMs = clocks[`${clock}Ms`];
    this.#ring = { clock, afterMs };
    this.#emit({ type: 'clock-rang', session, clock, afterMs });
  }

  /** The first reason counts. */
  stop(stopped: Stopped): void {
    this.#stopped ??= stopped;
  }

  /** Throws whatever kept it from being journaled. */
  close(facts: ProcessFacts): void {
    this.isOpen = false;
    const turn = this.#describe(facts);
    this.outcome = turn.outcome;
    this.#number += 1;
    this.#tell(turn);
    this.#end.resolve(turn);
  }

  #tell({ outcome, text, contextShare }: Turn): void {
    const { number: session, marker, prompt } = this.#plan;
    const { kind, reason } = outcome;
    const until = kind === 'limited' ? outcome.until : undefined;
    const suspectsLimit = kind === 'overloaded' ? outcome.suspectsLimit : undefined;
    const lessons = ifAny(parseLessons(text, marker, prompt));
    const more = defined({ contextShare, until, suspectsLimit, lessons });
    this.#emit({ type: 'turn-ended', session, turn: this.#number, outcome: kind, reason, ...more });
  }

  /** It cannot be judged; who waits is told why. */
  fail(error: unknown): void {
    this.isOpen = false;
    this.#end.promise.catch(() => {});
    this.#end.reject(error);
  }

  #describe(process: ProcessFacts): Turn {
    const { agent, wasThere, marker: key, prompt, reviewer } = this.#plan;
    const { transcript: said } = this;
    const facts: TurnFacts = {
      ...process,
      said,
      agent,
      command: this.#command,
      wasThere,
      isReviewer: reviewer !== undefined,
      ring: this.#ring,
      stopped: this.#stopped,
    };
    const text = answerOf(facts);
    const mayEcho = agent.can.plainAnswer && said.last === undefined;
    const marker = parseMarker(text, key, mayEcho ? prompt : undefined);
    return {
      outcome: judgeOutcome(facts, marker),
      text,
      spoke: said.spoke,
      written: [...said.written],
      canCorrect: process.ended === undefined && agent.can.followUp,
      ...defined({ marker, contextShare: said.contextShare, structured: said.answer?.structured }),
    };
  }
}
