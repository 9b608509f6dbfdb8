// Names of spans and attributes, and what they tell of a run and a session. GenAI's names
// (semantic-conventions-genai 0.1.0) still change, so they appear only here.
import type { RunState, SessionState } from '../journal/state.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | string[]>>;

export const genAi = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agentName: 'gen_ai.agent.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  conversation: 'gen_ai.conversation.id',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
  workflow: 'invoke_workflow',
  agent: 'invoke_agent',
} as const;

export const errorType = 'error.type';

export const own = {
  run: 'pawl.run',
  start: 'pawl.start',
  plan: 'pawl.plan',
  title: 'pawl.title',
  branch: 'pawl.branch',
  exit: 'pawl.exit',
  finished: 'pawl.finished',
  reasons: 'pawl.reasons',
  crashed: 'pawl.crashed',
  task: 'pawl.task',
  taskResult: 'pawl.task.result',
  proof: 'pawl.proof',
  commit: 'pawl.commit',
  attempt: 'pawl.attempt',
  reason: 'pawl.reason',
  session: 'pawl.session',
  role: 'pawl.role',
  agent: 'pawl.agent',
  reviewer: 'pawl.reviewer',
  outcome: 'pawl.outcome',
  cost: 'pawl.cost',
  costAtLeast: 'pawl.cost.at_least',
  check: 'pawl.check',
  command: 'pawl.check.command',
  when: 'pawl.check.when',
  result: 'pawl.check.result',
  lane: 'pawl.lane',
  why: 'pawl.wait.why',
  stage: 'pawl.review.stage',
  stageEnd: 'pawl.review.end',
} as const;

/** Absent: anybody's. */
const providers: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'gcp.gemini',
};

export function describeRun({ started, resumes, course: { ended } }: RunState): Attributes {
  const { run, title, plan, branch } = started;
  return {
    ...named(genAi, { operation: genAi.workflow, agentName: title }),
    ...named(own, { run, start: resumes + 1, title, plan, branch }),
    ...(ended &&
      named(own, {
        exit: ended.exit,
        finished: ended.finished,
        reasons: ended.reasons.map(({ text }) => text),
      })),
  };
}

export function describeSession({ started, ready, ended, costUsd, tokens }: SessionState): Attributes {
  const { session, role, agent, model, attempt, reviewer, lane } = started;
  const { outcome, reason, costAtLeast } = ended ?? {};
  return {
    ...named(genAi, {
      operation: genAi.agent,
      agentName: reviewer ?? role,
      provider: providers[agent],
      requestModel: model,
      conversation: ready?.agentSession,
      responseModel: ready?.model,
      // From a cache or not.
      inputTokens: tokens && tokens.input + tokens.cacheRead + tokens.cacheWrite,
      outputTokens: tokens?.output,
      cacheReadTokens: tokens?.cacheRead,
      cacheWriteTokens: tokens?.cacheWrite,
    }),
    ...named(own, {
      session,
      role,
      agent,
      attempt,
      reviewer,
      lane,
      outcome,
      reason,
      costAtLeast,
      cost: costUsd,
    }),
  };
}

/** By their names; what is undefined is left out. */
export function named<Key extends string>(
  names: Readonly<Record<Key, string>>,
  values: Readonly<{ [K in Key]?: Attributes[string] | undefined }>,
): Attributes {
  const entries = Object.entries<Attributes[string] | undefined>(values);
  return Object.fromEntries(
    entries.flatMap(([key, value]) => (value === undefined ? [] : [[names[key as Key], value]])),
  );
}
