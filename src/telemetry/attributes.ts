// What spans tell of a run and a session. GenAI's names (semantic-conventions-genai 0.1.0) still change, so they appear
// only here.
import type { RunState, SessionState } from '../journal/state.ts';

/** One without a value is left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | string[] | undefined>>;

/** Operations, with which names of spans begin. */
export const workflow = 'invoke_workflow';
export const agentCall = 'invoke_agent';

/** Absent: anybody's. */
const providers: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'gcp.gemini',
};

export function describeRun({ started, resumes, course: { ended } }: RunState): Attributes {
  return {
    'gen_ai.operation.name': workflow,
    'gen_ai.agent.name': started.title,
    'pawl.run': started.run,
    'pawl.start': resumes + 1,
    'pawl.plan': started.plan,
    'pawl.title': started.title,
    'pawl.branch': started.branch,
    'pawl.exit': ended?.exit,
    'pawl.finished': ended?.finished,
    'pawl.reasons': ended?.reasons.map(({ text }) => text),
  };
}

export function describeSession({ started, ready, ended, costUsd, tokens }: SessionState): Attributes {
  const { session, role, agent, uses = agent, model, attempt, reviewer, lane } = started;
  return {
    'gen_ai.operation.name': agentCall,
    'gen_ai.agent.name': reviewer ?? role,
    'gen_ai.provider.name': providers[uses],
    'gen_ai.request.model': model,
    'gen_ai.conversation.id': ready?.agentSession,
    'gen_ai.response.model': ready?.model,
    // From a cache or not.
    'gen_ai.usage.input_tokens': tokens && tokens.input + tokens.cacheRead + tokens.cacheWrite,
    'gen_ai.usage.output_tokens': tokens?.output,
    'gen_ai.usage.cache_read.input_tokens': tokens?.cacheRead,
    'gen_ai.usage.cache_write.input_tokens': tokens?.cacheWrite,
    'pawl.session': session,
    'pawl.role': role,
    'pawl.agent': agent,
    'pawl.attempt': attempt,
    'pawl.reviewer': reviewer,
    'pawl.lane': lane,
    'pawl.outcome': ended?.outcome,
    'pawl.reason': ended?.reason,
    'pawl.cost.at_least': ended?.costAtLeast,
    'pawl.cost': costUsd,
  };
}
