// The story that most tests play: a plan with a task for each letter, and what a scripted agent says and does about it.
// It starts nothing.
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';

/** A plan with a task for each letter: its file must hold it. */
export function letterPlan(...letters: readonly string[]): string {
  const tasks = letters.map(
    (letter, at) => `### Task ${at + 1}: Write ${letter}
- check: \`grep -qx ${letter} ${letter}.txt\`
- [ ] Write ${letter} to ${letter}.txt
`,
  );
  return `# Plan: Letters\n\n## Overview\nEach letter in its file.\n\n${tasks.join('\n')}`;
}

/** The work of a letter's task. */
export const write = (letter: string): Step => ({ bash: `echo ${letter} > ${letter}.txt` });

/** Lets others know where a session is, and waits until one is there: what happens first is not left to the machine. */
export const reach = (mark: string): Step => ({ bash: `touch "$HOME/${mark}"` });
export const waitFor = (mark: string): Step => ({
  bash: `until [ -e "$HOME/${mark}" ]; do sleep 0.05; done`,
});
/** Says that it has begun, and waits for the person's word to go on. */
export const untilGo: Step = { bash: 'echo > .git/started; until [ -f .git/go ]; do sleep 0.05; done' };
/** Waits until a task's work is on the person's branch `mine`. */
export const waitLanded = (root: string, written: string): Step => ({
  bash: `until git -C '${root}' log --format=%s mine | grep -qx 'Write ${written}'; do sleep 0.1; done`,
});

/** Last words with the marker that says done. */
export const done: Step = { say: 'It is done.\n\n{{marker TASK_DONE wrote it}}' };

/** A turn for the prompts of a letter's task, each time or once only. */
export function onTask(letter: string, steps: readonly Step[], once = false): Turn {
  return { when: { regex: `^### Task \\d+: Write ${letter}$` }, once, steps };
}

/** The turns that do the letters' tasks at once. */
export function honest(...letters: readonly string[]): readonly Turn[] {
  return letters.map((letter) => onTask(letter, [write(letter), done]));
}

/** What two letters' tasks leave for good. */
export const lettersDone = {
  log: ['Write b', 'Write a', 'start'],
  boxes: ['- [x]', '- [x]'],
  status: '',
  branch: 'plan',
};
