// Puts new text for the open tasks of a plan into its file by position: every byte outside their sections stays. It judges
// nothing about what the new text says.
import { isClosed, type Plan, type Task } from './plan.ts';

/** A stretch of the plan's text and what comes in its place. */
type Edit = Readonly<{ from: number; to: number; text: string }>;

/** What a merge does, by ids. `changed`: with other text, or in another place among the open ones. */
export type Merge = Readonly<{
  text: string;
  added: readonly string[];
  changed: readonly string[];
  dropped: readonly string[];
}>;

/** The plan with its open tasks replaced by those of `answer`, in that order: known ones in their places as far as the order allows, new ones between them. */
export function mergeTasks(plan: Plan, answer: readonly Task[]): Merge {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const places = new Map(open.map((task, at) => [task.id, at]));
  const eol = plan.text.includes('\r\n') ? '\r\n' : '\n';
  const sourceOf = (task: Task) => withLineEnds(task.source, eol);
  const staying = longestRise(answer.flatMap(({ id }) => places.get(id) ?? []));
  const isStaying = ({ id }: Task) => staying.has(places.get(id) ?? -1);
  const edits: Edit[] = open.flatMap((task, at) => (staying.has(at) ? [] : [cut(plan.text, task)]));
  let waiting: Task[] = [];
  let last: Task | undefined;
  for (const task of answer) {
    if (!isStaying(task)) {
      waiting.push(task);
      continue;
    }
    const old = open[places.get(task.id) ?? 0];
    if (!old) continue;
    const { offset } = old.place;
    const text = sourceOf(task);
    edits.push({ from: offset, to: offset, text: waiting.map((one) => sourceOf(one) + eol + eol).join('') });
    if (text !== old.source) edits.push({ from: offset, to: offset + old.source.length, text });
    [waiting, last] = [[], old];
  }
  const end = last ? last.place.offset + last.source.length : undefined;
  const first = open[0]?.place.offset ?? plan.text.length;
  const rest = waiting.map(sourceOf);
  if (end !== undefined)
    edits.push({ from: end, to: end, text: rest.map((text) => eol + eol + text).join('') });
  else edits.push({ from: first, to: first, text: rest.map((text) => text + eol + eol).join('') });
  return {
    text: apply(plan.text, edits),
    added: answer.filter(({ id }) => !places.has(id)).map(({ id }) => id),
    changed: answer
      .filter(
        (task) =>
          places.has(task.id) &&
          (!isStaying(task) || sourceOf(task) !== open[places.get(task.id) ?? 0]?.source),
      )
      .map(({ id }) => id),
    dropped: open.filter(({ id }) => !answer.some((task) => task.id === id)).map(({ id }) => id),
  };
}

/** Text with one kind of line end. */
export function withLineEnds(text: string, eol: string): string {
  return text.replace(/\r\n|\n|\r/g, eol);
}

/** A section and the blank lines behind it. */
function cut(text: string, { place, source }: Task): Edit {
  const end = place.offset + source.length;
  const blank = /^\s*/.exec(text.slice(end))?.[0] ?? '';
  // At the file's end its last line end stays.
  return { from: place.offset, to: end + (end + blank.length < text.length ? blank.length : 0), text: '' };
}

/** The places of a longest rising part of a sequence: those need not move. */
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

/** Edits in the order they were made where they begin at one place; none overlaps another. */
function apply(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const edit of edits.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
    parts.push(text.slice(from, edit.from), edit.text);
    from = edit.to;
  }
  return parts.join('') + text.slice(from);
}
