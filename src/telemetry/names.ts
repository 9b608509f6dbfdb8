// Names of spans and attributes. GenAI's (semantic-conventions-genai 0.1.0) still change, so they appear only
// here.

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
export const providers: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'gcp.gemini',
};
