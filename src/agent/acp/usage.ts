// What a session over ACP has used, by each agent's own way of counting. Unknown is not zero: for a resumed conversation,
// counts over the whole of it are left out.
import { defined } from '../../defined.ts';
import type { AgentEvent, Tokens } from '../../event/activity.ts';
import { readLimit } from '../claude/read-result.ts';
import { type JsonRecord, number, record } from '../json-value.ts';
import type { Counting } from './entries.ts';

/** One process's figures. */
export class Usage {
  readonly #counting: Counting;
  readonly #isResumed: boolean;
  #tokens: Tokens | undefined;
  #window = 0;
  /** The open prompt has told a use of the model beside its answer. */
  #isUsed = false;
  /** Tokens in the context as last told. */
  inContext = 0;

  constructor(counting: Counting, isResumed: boolean) {
    this.#counting = counting;
    this.#isResumed = isResumed;
  }

  /** A prompt goes out. */
  begin(): void {
    this.#isUsed = false;
  }

  /** Takes what an update tells. */
  takeUpdate(update: JsonRecord): void {
    this.#window = number(update['size']) ?? this.#window;
    this.inContext = number(update['used']) ?? this.inContext;
    const told = readTokens(record(record(update['_meta'])?.['usage']));
    this.#isUsed ||= (told?.output ?? 0) > 0;
    if (this.#counting === 'chunks') this.#add(told);
  }

  /** Takes what the answer to a prompt tells. */
  takeAnswer(result: JsonRecord): void {
    const told = readAnswer(result);
    if (this.#counting === 'prompt') this.#add(told);
    // Counted over the session, whichever process it was in.
    if (this.#counting === 'session' && !this.#isResumed) this.#tokens = told ?? this.#tokens;
  }

  /** Whether the prompt told a use of the model, in whatever way: it came to it. */
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

  /** What an update tells at once: the context, a cost that is known, a usage limit. */
  events(update: JsonRecord, model: string): readonly AgentEvent[] {
    if (update['sessionUpdate'] !== 'usage_update') return [];
    const used = number(update['used']) ?? 0;
    const cost = record(update['cost']);
    const costUsd = cost?.['currency'] === 'USD' ? (number(cost['amount']) ?? 0) : 0;
    return [
      ...(used > 0 ? [{ type: 'context', tokens: used, model } as const] : []),
      // Without prices it is counted as nothing.
      ...(costUsd > 0 && !this.#isResumed ? [{ type: 'cost', costUsd } as const] : []),
      // Claude's own, as it has it from its API.
      ...readLimit(record(record(update['_meta'])?.['_claude/rateLimit']) ?? {}),
    ];
  }

  #add(tokens: Tokens | undefined): void {
    if (!tokens) return;
    const before = this.#tokens ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    this.#tokens = {
      input: before.input + tokens.input,
      output: before.output + tokens.output,
      cacheRead: before.cacheRead + tokens.cacheRead,
      cacheWrite: before.cacheWrite + tokens.cacheWrite,
    };
  }
}

function readAnswer(result: JsonRecord): Tokens | undefined {
  const quota = record(record(result['_meta'])?.['quota']);
  return readTokens(record(result['usage'])) ?? readTokens(record(quota?.['token_count']));
}

/** Cached ones are counted among the input. */
function readTokens(usage: JsonRecord | undefined): Tokens | undefined {
  const input = number(usage?.['inputTokens']) ?? number(usage?.['input_tokens']);
  if (usage === undefined || input === undefined) return undefined;
  const cacheRead = number(usage['cachedReadTokens']) ?? 0;
  const cacheWrite = number(usage['cachedWriteTokens']) ?? 0;
  const output = number(usage['outputTokens']) ?? number(usage['output_tokens']) ?? 0;
  return { input: Math.max(0, input - cacheRead - cacheWrite), output, cacheRead, cacheWrite };
}
