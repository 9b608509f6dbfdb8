// Prompts in the shape of ralphex's own, put where pawl looks for them and named as they are: they are used, their
// variables filled, their markers read.
import { describe, expect, test } from 'vitest';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { makeReview, worker } from '../helpers/review.ts';
import { readRun } from '../helpers/story.ts';

const prompts = '.pawl/templates/prompts';

const files = {
  [`${prompts}/review_first.txt`]: `# notes: {{GOAL}}, {{agent:<name>}}
Review pass of: {{GOAL}}

Plan {{PLAN_FILE}}, progress {{PROGRESS_FILE}}.
- \`git diff {{DEFAULT_BRANCH}}...HEAD\`

{{agent:quality}}
{{agent:careful}}

Nothing found: <<<RALPHEX:REVIEW_DONE>>>
It cannot be done: <<<RALPHEX:TASK_FAILED>>>
`,
  [`${prompts}/finalize.txt`]: `# notes
Last step: order the commits.
git log origin/{{DEFAULT_BRANCH}}..HEAD --oneline
`,
  '.pawl/templates/reviewers/careful.txt': '---\nmodel: haiku\nagent: code-reviewer\n---\nLook twice.\n',
  '.pawl/config.yaml': 'finalize:\n  prompt: Squash nothing.\n',
};

const done = { when: 'Review pass of', steps: [{ say: 'All is well.\n\n<<<RALPHEX:REVIEW_DONE>>>' }] };
const last = { when: 'Last step', steps: [{ say: 'There was nothing to order.' }] };

describe('prompts of ralphex', () => {
  test('review and finalize run as they are', async () => {
    await using scene = await makeReview({ turns: [worker, done, last], stages: '[first]', files });
    const ended = await expectExit(0, scene.run());
    expect(factsOf(ended, 'opinion-given').map(({ reviewer, findings }) => [reviewer, findings])).toEqual([
      ['review_first', []],
    ]);
    const prompt = await readRun(scene, 'sessions/002.prompt.md');
    expect(prompt).toContain('Review pass of: One word\n\nPlan docs/plans/plan.md, progress ');
    expect(prompt).toMatch(/- `git diff \S+\.\.\.HEAD`/);
    expect(prompt).toContain('of the type code-reviewer');
    expect(prompt).not.toContain('notes');
    const finalized = await readRun(scene, 'sessions/003.prompt.md');
    expect(finalized).toMatch(/^Last step: order the commits\.\ngit log [0-9a-f]{40}\.\.HEAD --oneline\n/);
    expect(finalized).toContain('Squash nothing.');
  });
});
