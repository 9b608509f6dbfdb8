// What a session over ACP has used, in each agent's own way of counting. Unknown is not zero: for a resumed conversation,
// counts over all of it are left out.
import { defined } from '../../defined.ts';
import type { AgentEvent, Tokens } from '../../event/activity.ts';
import { addTokens, noTokens } from '../../event/tokens.ts';
import { readLimit } from '../claude/read-result.ts';
import { type JsonRecord, number, record } from '../json-value.ts';
import type { Counting } from './entries.ts';

export class Usage {
  readonly #counting: Counting;
  readonly #isResumed: boolean;
  #tokens: Tokens | undefined;
  #window = 0;
  /** The open prompt has reported use of the model before its answer. */
  #isUsed = false;
  /** Tokens in the context as last reported. */
  inContext = 0;

  constructor(counting: Counting, isResumed: boolean) {
    this.#counting = counting;
    this.#isResumed = isResumed;
  }

  /** A prompt is sent. */
  begin(): void {
    this.#isUsed = false;
  }

  /** Takes the figures in an update. */
  takeUpdate(update: JsonRecord): void {
    this.#window = number(update['size']) ?? this.#window;
    this.inContext = number(update['used']) ?? this.inContext;
    const told = readTokens(record(record(update['_meta'])?.['usage']));
    this.#isUsed ||= (told?.output ?? 0) > 0;
    if (this.#counting === 'chunks') this.#add(told);
  }

  /** Takes the figures in the answer to a prompt. */
  takeAnswer(result: JsonRecord): void {
    const told = readAnswer(result);
    if (this.#counting === 'prompt') this.#add(told);
    // Counts the whole session, across processes.
    if (this.#counting === 'session' && !this.#isResumed) this.#tokens = told ?? this.#tokens;
  }

  /** Whether the prompt reported use of the model in any way, and so reached it. */
  isTold(result: JsonRecord): boolean {
    return this.#isUsed || (readAnswer(result)?.output ?? 0) > 0;
  }

  /** For the end of a turn. */
  figures(model: string): Readonly<{ tokens?: Tokens; contextWindows?: Record<string, number> }> {
    return defined({
      tokens: this.#tokens,
      contextWindows: this.#window > 0 ? { [model]: this.#window } : undefined,
    });
  }

  /** What an update reports at once: the context, a known cost, a usage limit. */
  events(update: JsonRecord, model: string): readonly AgentEvent[] {
    if (update['sessionUpdate'] !== 'usage_update') return [];
    const used = number(update['used']) ?? 0;
    const cost = record(update['cost']);
    const costUsd = cost?.['currency'] === 'USD' ? (number(cost['amount']) ?? 0) : 0;
    return [
      ...(used > 0 ? [{ type: 'context', tokens: used, model } as const] : []),
      // Without known prices the cost is reported as 0.
      ...(costUsd > 0 && !this.#isResumed ? [{ type: 'cost', costUsd } as const] : []),
      // Claude's own, passed on from its API.
      ...readLimit(record(record(update['_meta'])?.['_claude/rateLimit']) ?? {}),
    ];
  }

  #add(tokens: Tokens | undefined): void {
    if (tokens) this.#tokens = addTokens(this.#tokens ?? noTokens, tokens);
  }
}

function readAnswer(result: JsonRecord): Tokens | undefined {
  const quota = record(record(result['_meta'])?.['quota']);
  return readTokens(record(result['usage'])) ?? readTokens(record(quota?.['token_count']));
}

function readTokens(usage: JsonRecord | undefined): Tokens | undefined {
  const input = number(usage?.['inputTokens']) ?? number(usage?.['input_tokens']);
  if (usage === undefined || input === undefined) return undefined;
  const cacheRead = number(usage['cachedReadTokens']) ?? 0;
  const cacheWrite = number(usage['cachedWriteTokens']) ?? 0;
  const output = number(usage['outputTokens']) ?? number(usage['output_tokens']) ?? 0;
  return { input: Math.max(0, input - cacheRead - cacheWrite), output, cacheRead, cacheWrite };
}
