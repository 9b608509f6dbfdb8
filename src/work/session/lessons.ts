// Which lessons of earlier sessions a prompt carries. Pure.
import { matchesAny } from '../../git/tree/glob.ts';
import type { Lesson } from '../../journal/state-parts.ts';

const most = 40;

/** Those on the same checks and files first, then the newest. */
export function lessonsFor(
  lessons: readonly Lesson[],
  about: Readonly<{ checks: readonly string[]; files: readonly string[] }>,
): readonly string[] {
  const weigh = ({ check, files }: Lesson) =>
    (check !== undefined && about.checks.includes(check) ? 1 : 0) +
    (files.some((file) => matchesAny(file, about.files)) ? 1 : 0);
  return lessons
    .map((lesson, at) => ({ says: lesson.says, at, weight: weigh(lesson) }))
    .sort((a, b) => b.weight - a.weight || b.at - a.at)
    .slice(0, most)
    .map(({ says }) => says);
}
