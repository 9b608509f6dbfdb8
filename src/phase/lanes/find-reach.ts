// What a session in one lane is about to do in another, according to its tool calls. Pure.
import path from 'node:path';
import { isNamed } from '../../agent/session/recorded.ts';
import { isBelow } from '../../below.ts';
import type { AgentEvent } from '../../event/activity.ts';
import type { FactOf } from '../../event.ts';
import { namesOf } from '../../work/guard/suspects.ts';

/** The session's own tree, and the other lanes by number. */
export type Around = Readonly<{
  root: string;
  home: string | undefined;
  others: readonly Readonly<{ lane: number; folder: string }>[];
}>;

/** What it is reaching for in one of them. */
export type Reach = Pick<FactOf<'lane-reached'>, 'into' | 'files' | 'runs'>;

/** What the event is reaching for in each of the other lanes. */
export function findReach(event: AgentEvent, { root, home, others }: Around): readonly Reach[] {
  if (event.type !== 'tool-started' && event.type !== 'tool-ended') return [];
  const written = (event.writes ?? []).map((file) => path.resolve(root, file));
  const command = event.type === 'tool-started' && event.runs ? event.detail : '';
  return others.flatMap(({ lane, folder }) => {
    const inside = written.filter((file) => isBelow(file, folder)).map((file) => path.relative(folder, file));
    const files = inside.filter((file) => !isBelow(file, '.git'));
    const names = [...namesOf(folder, home), path.relative(root, folder)];
    const runs = inside.length > files.length || names.some((name) => isNamed(command, name));
    return files.length > 0 || runs ? [{ into: lane, files, runs }] : [];
  });
}
