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

/** Takes each event; `found` is told what was repeated. */
export function detectLoops(rule: LoopRule, found: (reason: string) => void): (event: AgentEvent) => void {
  const counts = new Map<string, number>();
  let tree = rule.tree;
  let lastId = '';
  let isLooking = false;
  const look = async (call: Call, key: string) => {
    isLooking = true;
    const now = await rule.look().catch(() => undefined);
    isLooking = false;
    const isStill = now !== undefined && now === tree;
    const count = counts.get(key) ?? rule.most;
    tree = now;
    counts.clear();
    if (isStill) found(formatCircle(call, count));
  };
  return (event) => {
    if (event.type !== 'tool-started' || event.input === undefined) return;
    // Reported twice, made once.
    if (event.id !== '' && event.id === lastId) return;
    lastId = event.id;
    if (counts.size >= mostKept) counts.clear();
    const key = `${event.tool} ${event.input}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count >= rule.most && !isLooking) void look(event, key);
  };
}

function formatCircle({ tool, detail }: Call, count: number): string {
  const what = detail === '' ? '' : `: ${detail}`;
  return `it called ${tool} ${count} times with the same input while no file changed${what}`;
}
