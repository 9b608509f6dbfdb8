// Summarizes a turn or a session: the judged outcome, the answer, the marker, and what the process can still be used for.
// Pure.

import { defined } from '../../defined.ts';
import type { ProcessExit } from '../../process/spawn.ts';
import type { Process } from '../../process/sweep.ts';
import type { Agent, AgentCommand } from '../agent.ts';
import { oneLine } from '../json-value.ts';
import { type MarkerKey, parseMarker } from '../marker.ts';
import type { CostTracker } from './cost-tracker.ts';
import { answerOf, judgeOutcome } from './judge-outcome.ts';
import type { CannotWork, Outcome, TurnFacts } from './outcome.ts';
import type { SessionEnd, Turn } from './session-plan.ts';
import type { TurnTranscript } from './turn-transcript.ts';

export type TurnParts = Readonly<{
  agent: Agent;
  command: AgentCommand;
  /** Its program was started earlier in this run. */
  wasThere?: boolean | undefined;
  marker: MarkerKey;
  /** Its first prompt. */
  prompt: string;
  /** The reviewer it speaks as, whose opinion is worth nothing without reading. */
  reviewer?: string | undefined;
  transcript: TurnTranscript;
  /** Tail of stderr. */
  stderr: string;
  costUsd: number | undefined;
  ended: ProcessExit | undefined;
  ring: TurnFacts['ring'];
  stopped: TurnFacts['stopped'];
}>;

/** How much of the end of a plain answer is examined if its program failed. */
const wordsLimit = 2_000;

export function describeTurn(parts: TurnParts): Turn {
  const { agent, command, transcript, ended, ring, stopped } = parts;
  const { last, answer, limit, retry, refusal, background, noise, contextShare } = transcript;
  const facts: TurnFacts = {
    command: command.file,
    wasThere: parts.wasThere,
    isUp: transcript.isUp || agent.can.plainAnswer,
    silentAtLimit: agent.silentAtLimit,
    ...{ last, answer, limit, retry, refusal, background, ended, ring, stopped },
    cannotWork: findCannotWork(command, transcript),
    words: `${noise.slice(-wordsLimit)}\n${parts.stderr}`,
    blind: parts.reviewer === undefined || transcript.used ? undefined : agent.blindHint,
    plainAnswer: agent.can.plainAnswer ? noise : undefined,
  };
  const text = answerOf(facts);
  const isPlain = facts.plainAnswer !== undefined && last === undefined;
  const { marker, seen } = parseMarker(text, parts.marker, isPlain ? parts.prompt : undefined);
  const alive = ended === undefined;
  return {
    outcome: judgeOutcome(facts, marker),
    text,
    spoke: transcript.spoke,
    written: [...transcript.written],
    seen,
    alive,
    canCorrect: alive && command.input === 'conversation' && agent.can.followUp,
    ...defined({ marker, contextShare, costUsd: parts.costUsd, structured: answer?.structured }),
  };
}

export function describeEnd(parts: {
  outcome: Outcome;
  cost: CostTracker;
  ended: ProcessExit | undefined;
  leftovers: readonly Process[];
  durationMs: number;
}): SessionEnd {
  const { outcome, cost, ended, leftovers, durationMs } = parts;
  // A program that could not be started has cost nothing, which is known.
  const hasBegun = ended?.startError === undefined;
  return {
    outcome,
    ...defined({ costUsd: hasBegun ? cost.costUsd : 0, tokens: cost.tokens }),
    costAtLeast: hasBegun && !cost.isFinal,
    durationMs,
    exitCode: ended?.code ?? null,
    signal: ended?.signal ?? null,
    leftovers,
  };
}

type Said = Pick<TurnTranscript, 'permissions' | 'denied' | 'used' | 'spoke' | 'last'>;

/** It started otherwise than it was told to; known before the model is asked. */
export function findOtherMode(
  { permissions: asked }: Pick<AgentCommand, 'permissions'>,
  { permissions: reported }: Pick<Said, 'permissions'>,
): CannotWork | undefined {
  if (asked === undefined || reported === undefined || reported === asked) return undefined;
  return {
    reason: `the CLI works in its permission mode ${reported}, not in ${asked} as it was told`,
    remedies: [
      'look in its settings, the project’s and the organization’s for what forbids that (permissions.disableBypassPermissionsMode)',
      'or have it work with less: --set agent.claude.permissions=acceptEdits, with what it needs in permissions.allow of .claude/settings.json',
    ],
  };
}

/** Why it cannot work, once a turn is over; undefined if it can. */
export function findCannotWork(
  command: Pick<AgentCommand, 'permissions'>,
  said: Said,
): CannotWork | undefined {
  const mode = findOtherMode(command, said);
  if (mode) return mode;
  const { last, spoke, denied, used } = said;
  if (last?.unasked && !last.isError && !spoke)
    return {
      reason: `the CLI ended the turn without asking the model: ${oneLine(last.text, 200) || 'it does not say why'}`,
      remedies: ['see which hook refuses prompts (UserPromptSubmit in its settings)'],
    };
  if (denied.size > 0 && !used)
    return {
      reason: `the CLI denied every tool that the agent wanted: ${[...denied].join(', ')}`,
      remedies: ['allow them in permissions.allow of .claude/settings.json, or see which hook denies them'],
    };
  return undefined;
}
