// Prompts in the shape of ralphex's own, put where pawl looks for them and named as they are: they are used, their
// variables filled, their markers read. And mistakes in what a review needs come out before the first session.
import { describe, expect, test } from 'vitest';
import { factsOf, tell } from '../helpers/pawl.ts';
import { makeReview, worker } from '../helpers/review.ts';
import { inSoak } from '../helpers/share.ts';
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
const failed = { when: 'Review pass of', steps: [{ say: 'No.\n\n<<<RALPHEX:TASK_FAILED>>>' }] };
const last = { when: 'Last step', steps: [{ say: 'There was nothing to order.' }] };

describe('prompts of ralphex', () => {
  test('review and finalize run as they are', async () => {
    await using scene = await makeReview({ turns: [worker, done, last], stages: '[first]', files });
    const ended = await scene.run();
    expect(ended.exit, tell(ended)).toBe(0);
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

  inSoak('one that says it failed has given no opinion', async () => {
    await using scene = await makeReview({ turns: [worker, failed], stages: '[first]', files });
    const ended = await scene.run();
    expect(ended.exit, tell(ended)).toBe(4);
    expect(factsOf(ended, 'opinion-given')).toEqual([]);
  });
});

describe('before the first session', () => {
  // Without a run: judge-sessions.test.ts.
  inSoak.each([
    ['[{name: x, reviewers: [nope]}]', {}, 'there is no reviewer nope'],
    ['[{name: x, script: ./gone.sh}]', {}, 'gone.sh was not found'],
    ['[final]', { [`${prompts}/review.md`]: '{{X}}\n' }, '{{X}} is not a placeholder of this template'],
  ])('%s with %j is refused', async (stages, own, says) => {
    await using scene = await makeReview({ turns: [worker], stages, files: own });
    const ended = await scene.run();
    expect([ended.exit, ended.events], tell(ended)).toEqual([2, []]);
    expect(ended.stderr).toContain(says);
    await scene.pawl('trust', '--yes');
    for (const words of [['run', 'docs/plans/plan.md', '--dry-run'], ['doctor']]) {
      const looked = await scene.pawl(...words);
      expect(looked.exit, tell(looked)).toBe(2);
      expect(`${looked.stdout}${looked.stderr}`).toContain(says);
    }
  });

  inSoak('what no session reads is told', async () => {
    const own = { [`${prompts}/codex.txt`]: 'x\n' };
    await using scene = await makeReview({ turns: [worker], stages: '[]', files: own });
    const ended = await scene.pawl('run', 'docs/plans/plan.md', '--trust');
    expect(`${ended.stdout}${ended.stderr}`).toContain('codex.txt is not read: there is no prompt codex');
  });
});
