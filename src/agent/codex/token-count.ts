// The tokens of a codex thread. The app server counts over all of it, so an earlier process's are subtracted.
import type { Tokens } from '../../event/activity.ts';
import { noTokens, subtractTokens } from '../../event/tokens.ts';
import { type JsonRecord, number, record } from '../json-value.ts';

export class TokenCount {
  #before: Tokens | undefined;
  #total: Tokens | undefined;
  /** Tokens, as of the model's last reply. */
  inContext = 0;
  window = 0;

  /** `isResumed`: another process began the thread; its total is reported before the first turn. */
  constructor(isResumed: boolean) {
    this.#before = isResumed ? undefined : noTokens;
  }

  get own(): Tokens | undefined {
    return this.#total && subtractTokens(this.#total, this.#before ?? noTokens);
  }

  /** `isOfTurn`: of a turn of this process. */
  take(params: JsonRecord, isOfTurn: boolean): void {
    const usage = record(params['tokenUsage']) ?? {};
    this.inContext = number(record(usage['last'])?.['totalTokens']) ?? this.inContext;
    this.window = number(usage['modelContextWindow']) ?? this.window;
    const total = readTokens(record(usage['total']));
    if (!total) return;
    if (isOfTurn) this.#total = total;
    else this.#before ??= total;
  }
}

/** `inputTokens` includes cached ones. */
function readTokens(usage: JsonRecord | undefined): Tokens | undefined {
  const input = number(usage?.['inputTokens']);
  if (usage === undefined || input === undefined) return undefined;
  const cacheRead = number(usage['cachedInputTokens']) ?? 0;
  const cacheWrite = number(usage['cacheWriteInputTokens']) ?? 0;
  const output = number(usage['outputTokens']) ?? 0;
  return { input: Math.max(0, input - cacheRead - cacheWrite), output, cacheRead, cacheWrite };
}
