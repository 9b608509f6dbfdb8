// What a session's span says, by the names of GenAI.
import { defined } from '../defined.ts';
import type { SessionState } from '../journal/state.ts';
import { genAi, own, providers } from './names.ts';
import type { Attributes } from './trace.ts';

export function describeSession({ started, ready, ended, costUsd, tokens }: SessionState): Attributes {
  const { session, role, agent, model, attempt, reviewer, lane } = started;
  return {
    ...{ [genAi.operation]: genAi.agent, [genAi.agentName]: reviewer ?? role },
    ...{ [own.session]: session, [own.role]: role, [own.agent]: agent },
    ...defined({ [genAi.provider]: providers[agent], [genAi.requestModel]: model }),
    ...defined({ [own.attempt]: attempt, [own.reviewer]: reviewer, [own.lane]: lane }),
    ...defined({ [genAi.conversation]: ready?.agentSession, [genAi.responseModel]: ready?.model }),
    ...defined({ [own.outcome]: ended?.outcome, [own.reason]: ended?.reason }),
    ...defined({ [own.cost]: costUsd, [own.costAtLeast]: ended?.costAtLeast }),
    ...(tokens && {
      // From a cache or not.
      [genAi.inputTokens]: tokens.input + tokens.cacheRead + tokens.cacheWrite,
      ...{ [genAi.outputTokens]: tokens.output, [genAi.cacheReadTokens]: tokens.cacheRead },
      [genAi.cacheWriteTokens]: tokens.cacheWrite,
    }),
  };
}

/** Undefined if it is none. */
export function errorOfSession({ ended }: SessionState): string | undefined {
  return ended === undefined || goodOutcomes.has(ended.outcome) ? undefined : ended.outcome;
}

const goodOutcomes: ReadonlySet<string> = new Set([
  ...['done', 'already-done', 'needs-input', 'replan', 'interrupted'],
]);
