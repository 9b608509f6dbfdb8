// Detects a session that repeats one tool call with the same input while no file changes.
import type { AgentEvent } from '../../event/activity.ts';

export type LoopRule = Readonly<{
  /** Equal calls, while the tree stays the same. */
  most: number;
  /** As first found; undefined: unknown. */
  tree: string | undefined;
  /** Undefined: unknown, never unchanged. */
  look: () => Promise<string | undefined>;
}>;

type Call = Extract<AgentEvent, { type: 'tool-started' }>;

/** So many different calls are no loop: counting starts over. */
const mostKept = 10_000;

export class LoopDetector {
  readonly #rule: LoopRule | undefined;
  readonly #found: (reason: string) => void;
  readonly #counts = new Map<string, number>();
  #tree: string | undefined;
  #lastId = '';
  #isLooking = false;

  /** `found`: told what was repeated. */
  constructor(rule: LoopRule | undefined, found: (reason: string) => void) {
    this.#rule = rule;
    this.#found = found;
    this.#tree = rule?.tree;
  }

  take(event: AgentEvent): void {
    if (event.type !== 'tool-started' || event.input === undefined || this.#rule === undefined) return;
    // Reported twice, made once.
    if (event.id !== '' && event.id === this.#lastId) return;
    this.#lastId = event.id;
    if (this.#counts.size >= mostKept) this.#counts.clear();
    const key = `${event.tool} ${event.input}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (count >= this.#rule.most && !this.#isLooking) void this.#look(this.#rule, event, key);
  }

  async #look(rule: LoopRule, call: Call, key: string): Promise<void> {
    this.#isLooking = true;
    const tree = await rule.look().catch(() => undefined);
    this.#isLooking = false;
    const isStill = tree !== undefined && tree === this.#tree;
    const count = this.#counts.get(key) ?? rule.most;
    this.#tree = tree;
    this.#counts.clear();
    if (isStill) this.#found(formatCircle(call, count));
  }
}

function formatCircle({ tool, detail }: Call, count: number): string {
  const what = detail === '' ? '' : `: ${detail}`;
  return `it called ${tool} ${count} times with the same input while no file changed${what}`;
}
