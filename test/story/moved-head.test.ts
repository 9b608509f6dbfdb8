// A person looks at another branch, or moves the run's own, while pawl's checks run: nobody's session is at work then. The
// run stops, nothing that was closed leaves the branch, and the same command goes on when the branch is back.
import path from 'node:path';
import { expect, test } from 'vitest';
import { letterPlan } from '../helpers/letters.ts';
import { actBeside, makeNight } from '../helpers/night.ts';
import { expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';

/** Task `b` is checked by a script that waits, at its call of that number, until the person has acted. */
const plan = (call: number) =>
  letterPlan('a', 'b').replace('`grep -qx b', `\`sh slow.sh ${call} && grep -qx b`);

const slow = `n=$(( $(cat .git/calls 2>/dev/null || echo 0) + 1 )); echo $n > .git/calls
if [ $n = "$1" ]; then touch .git/reached; while [ ! -e .git/go ]; do sleep 0.05; done; fi
`;

const night = (call: number) => makeNight({ plan: plan(call), files: { 'slow.sh': slow } });

/** When the check is called: before the task's session, and after it. */
const windows = [
  ['before the task', 1],
  ['after the session', 2],
] as const;

const switches = [
  ['looks at main', 'git switch -q main'],
  ['detaches HEAD', 'git switch -q --detach main'],
  ['begins a branch', 'git switch -q -c other main'],
] as const;

for (const [when, call] of windows) {
  // All are seen by the same look: each window is played with one act, the one before the task in a soak with that of the other.
  (call === 1 ? inSoak : test).each(share(call === 1 ? switches.slice(0, 1) : switches, 3))(
    `${when} a person %s`,
    async (_, act) => {
      await using scene = await night(call);
      const first = await expectExit(8, actBeside(scene, act));
      expect(factsOf(first, 'run-ended')).toMatchObject([{ reasons: [{ code: 'git' }] }]);
      expect(factsOf(first, 'task-closed').map(({ task }) => task)).toEqual(['1']);
      expect(await scene.repo.git('show', 'plan:a.txt')).toBe('a');
      await scene.repo.git('switch', '-q', 'plan');
      await expectExit(0, scene.again());
      expect(await scene.repo.git('log', '--format=%s', 'plan')).toBe('Write b\nWrite a\nstart');
      expect(await scene.repo.git('ls-tree', '--name-only', 'plan', 'a.txt', 'b.txt')).toBe('a.txt\nb.txt');
    },
  );

  (call === 1 ? test : inSoak)(`${when} a person takes the last commit off the branch`, async () => {
    await using scene = await night(call);
    await expectExit(8, actBeside(scene, 'git reset -q --soft HEAD~1'));
    // Nothing was built on it, and nothing put back: what the person did stands.
    expect(await scene.repo.git('log', '--format=%s', 'plan')).toBe('start');
    const second = await expectExit(8, scene.again());
    expect(factsOf(second, 'run-ended').at(-1)?.reasons).toMatchObject([{ code: 'history' }]);
  });
}

test('a check that commits is named, and nothing is built on its commit', async () => {
  await using scene = await makeNight({
    plan: '# Plan: P\n\n### Task 1: Write a\n- check: `grep -qx a a.txt && git commit -q --allow-empty -m mine`\n- [ ] a\n',
  });
  const ended = await expectExit(8, scene.run());
  expect(factsOf(ended, 'run-ended')[0]?.reasons[0]?.text).toMatch(
    /HEAD moved from .* while pawl ran the check/,
  );
  expect(factsOf(ended, 'task-closed')).toEqual([]);
});

inSoak(
  'a commit that is made while the last checks run is named, and does not pass for what they proved',
  async () => {
    const check =
      'grep -qx a a.txt; case $PWD in */prove-*) git -C "$RUN_TREES/$RUN_TREE" commit -q --allow-empty -m mine;; esac';
    await using scene = await makeNight({
      plan: `# Plan: P\n\n### Task 1: Write a\n- check: \`${check}\`\n- [ ] a\n`,
      env: { PAWL_VERIFY: 'fresh' },
    });
    const env = scene.env;
    // A variable that names the tree would name the ground there.
    env['RUN_TREES'] = path.dirname(scene.repo.path);
    env['RUN_TREE'] = path.basename(scene.repo.path);
    const first = await expectExit(8, scene.run());
    expect(factsOf(first, 'fresh-verified')).toMatchObject([{ result: 'green' }]);
    expect(factsOf(first, 'run-ended')[0]?.reasons[0]?.text).toMatch(
      /^HEAD moved from \w+ to \w+ while pawl ran the checks in a fresh checkout$/,
    );
    // The same command again proves what is there now.
    env['RUN_TREE'] = 'nothing';
    const second = await scene.again();
    expect(factsOf(second, 'fresh-verified'), tell(second)).toHaveLength(1);
  },
);
