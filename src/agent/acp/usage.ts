// What a session over ACP has used. A resumed conversation's cost counts all of it, so it is left out.
import { defined } from '../../defined.ts';
import type { AgentEvent, Tokens } from '../../event/activity.ts';
import { addTokens, noTokens } from '../../event/tokens.ts';
import { type JsonRecord, number, record } from '../json-value.ts';

export class Usage {
  readonly #counts: boolean;
  readonly #isResumed: boolean;
  #tokens: Tokens | undefined;
  #window = 0;
  /** The prompt used the model, as reported before its answer. */
  #isUsed = false;
  /** Tokens, as last reported. */
  inContext = 0;

  /** `counts`: answers count their prompt's tokens. */
  constructor(counts: boolean, isResumed: boolean) {
    this.#counts = counts;
    this.#isResumed = isResumed;
  }

  begin(): void {
    this.#isUsed = false;
  }

  takeUpdate(update: JsonRecord): void {
    this.#window = number(update['size']) ?? this.#window;
    this.inContext = number(update['used']) ?? this.inContext;
    const told = readTokens(record(record(update['_meta'])?.['usage']));
    this.#isUsed ||= (told?.output ?? 0) > 0;
  }

  takeAnswer(result: JsonRecord): void {
    const told = readAnswer(result);
    if (this.#counts && told) this.#tokens = addTokens(this.#tokens ?? noTokens, told);
  }

  isTold(result: JsonRecord): boolean {
    return this.#isUsed || (readAnswer(result)?.output ?? 0) > 0;
  }

  figures(model: string): Readonly<{ tokens?: Tokens; contextWindows?: Record<string, number> }> {
    return defined({
      tokens: this.#tokens,
      contextWindows: this.#window > 0 ? { [model]: this.#window } : undefined,
    });
  }

  events(update: JsonRecord, model: string): readonly AgentEvent[] {
    if (update['sessionUpdate'] !== 'usage_update') return [];
    const used = number(update['used']) ?? 0;
    const cost = record(update['cost']);
    const costUsd = cost?.['currency'] === 'USD' ? (number(cost['amount']) ?? 0) : 0;
    return [
      ...(used > 0 ? [{ type: 'context', tokens: used, model } as const] : []),
      // Without known prices the cost is reported as 0.
      ...(costUsd > 0 && !this.#isResumed ? [{ type: 'cost', costUsd } as const] : []),
    ];
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
