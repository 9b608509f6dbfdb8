// Replaces a plan's open tasks by position: every byte outside their sections stays.
import { isClosed, type Plan, type Task } from './plan.ts';

type Edit = Readonly<{ from: number; to: number; text: string }>;

/** Ids. `changed`: other text, or another position among the open ones. */
export type PlanMerge = Readonly<{
  text: string;
  added: readonly string[];
  changed: readonly string[];
  dropped: readonly string[];
}>;

/** Known tasks stay in their places where the answer's order allows. */
export function mergeTasks(plan: Plan, answer: readonly Task[]): PlanMerge {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const places = new Map(open.map((task, at) => [task.id, at]));
  const eol = plan.text.includes('\r\n') ? '\r\n' : '\n';
  const staying = longestRise(answer.flatMap(({ id }) => places.get(id) ?? []));
  const given = answer.map(({ id, source }): ReplacementSection => {
    const at = places.get(id) ?? -1;
    return { id, text: withLineEnds(source, eol), old: open[at], stays: staying.has(at) };
  });
  const leaving = open.filter((_, at) => !staying.has(at)).map((task) => cut(plan.text, task));
  const first = open[0]?.place.offset ?? plan.text.length;
  return {
    text: apply(plan.text, [...leaving, ...fillIn(given, { first, gap: eol + eol })]),
    added: given.filter(({ old }) => !old).map(({ id }) => id),
    changed: given
      .filter(({ old, stays, text }) => old && !(stays && text === old.source))
      .map(({ id }) => id),
    dropped: open.filter(({ id }) => !answer.some((task) => task.id === id)).map(({ id }) => id),
  };
}

/** With the plan's line endings. */
type ReplacementSection = Readonly<{ id: string; text: string; old: Task | undefined; stays: boolean }>;

/** Those that stay go into their own places, others before the next that stays. */
function fillIn(
  given: readonly ReplacementSection[],
  { first, gap }: Readonly<{ first: number; gap: string }>,
): readonly Edit[] {
  const edits: Edit[] = [];
  let waiting: string[] = [];
  let end: number | undefined;
  for (const { text, old, stays } of given) {
    if (!old || !stays) {
      waiting.push(text);
      continue;
    }
    const from = old.place.offset;
    end = from + old.source.length;
    edits.push({ from, to: from, text: waiting.map((one) => one + gap).join('') });
    if (text !== old.source) edits.push({ from, to: end, text });
    waiting = [];
  }
  const rest = waiting.map((one) => (end === undefined ? one + gap : gap + one)).join('');
  const at = end ?? first;
  return [...edits, { from: at, to: at, text: rest }];
}

export function withLineEnds(text: string, eol: string): string {
  return text.replace(/\r\n|\n|\r/g, eol);
}

function cut(text: string, { place, source }: Task): Edit {
  const end = place.offset + source.length;
  const blank = /^\s*/.exec(text.slice(end))?.[0] ?? '';
  // At the file's end the last newline stays.
  return { from: place.offset, to: end + (end + blank.length < text.length ? blank.length : 0), text: '' };
}

/** Of a longest increasing subsequence: these need not move. */
function longestRise(places: readonly number[]): ReadonlySet<number> {
  const best: (readonly number[])[] = [];
  for (const place of places) {
    const before = best.filter((rise) => (rise.at(-1) ?? -1) < place);
    const longest = before.reduce<readonly number[]>(
      (one, other) => (other.length > one.length ? other : one),
      [],
    );
    best.push([...longest, place]);
  }
  return new Set(
    best.reduce<readonly number[]>((one, other) => (other.length > one.length ? other : one), []),
  );
}

function apply(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const edit of edits.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
    parts.push(text.slice(from, edit.from), edit.text);
    from = edit.to;
  }
  return parts.join('') + text.slice(from);
}
