// What the sessions learnt, which a person may keep.
import type { RunState } from '../../journal/state.ts';
import { shellWord } from '../../shell-word.ts';
import { type Block, block, code } from '../text/block.ts';

export function lessonBlocks({ lessons, started }: Pick<RunState, 'lessons' | 'started'>): readonly Block[] {
  if (lessons.length === 0) return [];
  return [
    block('section', 'head', 'Lessons, verified by nobody'),
    ...lessons.slice(-40).map(({ says }) => block('item', 'plain', code(says))),
    block(
      'item',
      'plain',
      'To keep them: ',
      code(`pawl report ${shellWord(started.plan)} --lessons >> AGENTS.md`),
      ' (or CLAUDE.md), then edit',
    ),
  ];
}

/** A Markdown list, for a file of instructions. */
export function writeLessons({ lessons }: Pick<RunState, 'lessons'>): string {
  return lessons.map(({ says }) => `- ${says}\n`).join('');
}
