// A small repository to review: a plan with one task, reviewers and a fixer as turns of a script, and what a test asks of
// the review's end. It starts nothing itself; `makeNight` starts pawl.
import { type Finding, type FixAnswer, noProof } from '../../src/event/finding.ts';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { makeNight } from './night.ts';
import type { Ended, Scene, SceneOptions } from './pawl.ts';

/** One task, whose check holds as long as the file says right. */
export const reviewedPlan = `# Plan: One word

## Overview
The word in src/word.txt is right.

## Validation Commands
- \`grep -qx right src/word.txt\`

### Task 1: Write the word
- criterion: nobody has to guess
- [ ] Write right to src/word.txt
`;

/** A complaint about a line of a file. */
export function complaint(change: Partial<Finding> = {}): Finding {
  return {
    file: 'src/README.md',
    line: 1,
    severity: 'major',
    title: 'The word is not explained',
    evidence: 'right',
    suggestion: '',
    proof: noProof,
    ...change,
  };
}

/** A reviewer's turn, chosen by the first words of its persona: what it does before it answers. */
export function reviewer(
  name: keyof typeof fields,
  findings: readonly Finding[],
  more: Readonly<{ once?: boolean; before?: readonly Step[] }> = {},
): Turn {
  const { once = false, before = [] } = more;
  return { when: fields[name], once, steps: [...before, { answer: { findings } }] };
}

/** How the shipped personas begin. */
export const fields = {
  quality: 'You look for defects',
  implementation: 'You check whether the change does what was asked',
  testing: 'You check whether the tests would notice',
  simplification: 'You look for what the change makes harder',
  documentation: 'You check what people read',
} as const;

/** Answers to findings by their ids: `F1: true` is fixed, a text rejects it. */
export function answersTo(answers: Readonly<Record<string, true | string>>): Step {
  const list: FixAnswer[] = Object.entries(answers).map(([finding, word]) =>
    word === true
      ? { finding, answer: 'fixed', reason: 'mended' }
      : { finding, answer: 'rejected', reason: word },
  );
  return {
    say: `\`\`\`json\n${JSON.stringify({ answers: list })}\n\`\`\`\n{{marker TASK_DONE looked at all}}`,
  };
}

/** The fixer's turn. */
export function fixer(steps: readonly Step[], once = false): Turn {
  return { when: 'Reviewers have looked at the work', once, steps };
}

/** The task's turn. */
export const worker: Turn = {
  when: '### Task 1',
  steps: [
    { bash: 'mkdir -p src && echo right > src/word.txt' },
    { say: 'It is written.\n\n{{marker TASK_DONE wrote it}}' },
  ],
};

/** A scene whose run is reviewed by the given stages, by default one of two reviewers. */
export async function makeReview(options: SceneOptions & { stages?: string }): Promise<Scene> {
  const {
    stages = '[{name: first, reviewers: [quality, testing], rounds: 3}]',
    env,
    turns,
    ...rest
  } = options;
  return makeNight({
    plan: reviewedPlan,
    ...rest,
    turns: (root) => [worker, ...(typeof turns === 'function' ? turns(root) : turns)],
    env: { PAWL_REVIEW_STAGES: stages, PAWL_TASK_ATTEMPTS: '1', PAWL_TASK_CORRECTIONS: '1', ...env },
  });
}

/** The review as words: rounds, who answered, who did not, what the fixer came to, how each stage ended. */
export function reviewOf({ events }: Pick<Ended, 'events'>): readonly string[] {
  return events.flatMap((event) => {
    switch (event.type) {
      case 'review-round':
        return event.state === 'started' ? [`${event.stage} ${event.round}`] : [];
      case 'opinion':
        return event.state === 'given'
          ? [`${event.reviewer}: ${event.findings.map(({ id }) => id).join(' ') || 'nothing'}`]
          : [`${event.reviewer} is missing${event.again ? ', again' : ''}`];
      case 'finding-tried':
        return [`${event.finding} ${event.result}`];
      case 'findings-answered':
        return [event.answers.map(({ finding, answer }) => `${finding} ${answer}`).join(' ')];
      case 'work':
        return event.state === 'ended' && event.fix ? [`fixer: ${event.result}`] : [];
      case 'stage':
        return event.state === 'ended' ? [`${event.stage} ended ${event.end}`] : [];
      default:
        return [];
    }
  });
}
