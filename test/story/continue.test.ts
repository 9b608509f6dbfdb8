// Sessions that are cut off from outside: the next one goes on with the same conversation where the agent still has it,
// begins afresh where it has not, and nothing of it is billed twice.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { endAt, endInCall, expectNoProcess, makeNight, type Night, storyOf } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf, type SceneOptions } from '../helpers/pawl.ts';
import { inSoak, isSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const plan = letterPlan('a');
const half: Step = { bash: 'echo half > half.txt' };
const dear: Step = { usage: { input: 50_000, output: 2_000 } };
/** Foreground `sleep` is refused by the real CLI. */
const long: Step = { bash: "perl -e 'select undef,undef,undef,60'" };
const oneAttempt = { PAWL_TASK_ATTEMPTS: '1' };

/** Its first session is in the middle of a command. */
const interrupted: SceneOptions = {
  cast: isSoak ? 'claude' : 'scripted',
  plan,
  env: oneAttempt,
  turns: [onTask('a', [half, long], true), ...honest('a')],
};

/** For each session: which one it goes on with, the agent's own id, what it cost. */
function sessionsOf(ended: Pick<Ended, 'events'>) {
  return factsOf(ended, 'session-started').map(({ session, continues }) => ({
    continues,
    id: factsOf(ended, 'session-ready').find((fact) => fact.session === session)?.agentSession,
    costUsd: factsOf(ended, 'session-ended').find((fact) => fact.session === session)?.costUsd,
  }));
}

async function forget(scene: Night): Promise<void> {
  const script = path.join(
    path.dirname(scene.env['PAWL_AGENT_CLAUDE_COMMAND'] ?? ''),
    'script.json.sessions',
  );
  await rm(scene.model ? path.join(scene.home, '.claude', 'projects') : script, { recursive: true });
}

test('a session that a limit cut off is gone on with, in a soak twice, and nothing is billed twice', async () => {
  const limit: Step = { limit: { resetsInS: 1 } };
  await using scene = await makeNight({
    cast: 'claude',
    auth: 'oauth',
    plan,
    env: oneAttempt,
    turns: [
      onTask('a', [dear, half, limit], true),
      ...(isSoak ? [onTask('a', [dear, { bash: 'echo more > more.txt' }, limit], true)] : []),
      onTask('a', [dear, write('a'), done]),
    ],
  });
  const ended = await expectExit(0, scene.run());
  const cut = ['limited', '1 wait', 'waiting limit', 'waited'];
  expect(storyOf(ended)).toEqual([...cut, ...(isSoak ? cut : []), 'done', '1 proven']);
  const sessions = sessionsOf(ended);
  const [{ id = '', costUsd = 0 } = {}] = sessions;
  expect(id).not.toBe('');
  expect(sessions.map((each) => each.continues)).toEqual(isSoak ? [undefined, 1, 2] : [undefined, 1]);
  expect(sessions.map((each) => each.id)).toEqual(sessions.map(() => id));
  // Replies that cost: one in each that was cut off, and two in the last.
  if (isSoak) expect(sessions[1]?.costUsd).toBeCloseTo(costUsd);
  expect(sessions.at(-1)?.costUsd).toBeCloseTo(2 * costUsd);
  expect(await readRun(scene, 'sessions/002.prompt.md')).toMatch(/You were cut off(.|\n)*limit/);
  if (scene.model)
    expect(JSON.stringify(scene.model.requests.at(-1)?.body)).toContain('echo half > half.txt');
  expect(await scene.repo.read('half.txt')).toBe('half\n');
});

test('a session that pawl left behind when it was killed is gone on with', async () => {
  await using scene = await makeNight(interrupted);
  const killed = await endInCall(scene, 'half.txt');
  const again = await expectExit(0, scene.again());
  expect(storyOf(again)).toEqual(['crashed', '1 again', 'done', '1 proven']);
  const [before] = sessionsOf(killed);
  expect(sessionsOf(again)).toMatchObject([{ continues: 1, id: before?.id }]);
  await expectNoProcess(scene);
});

inSoak(
  'a conversation that the agent has lost is begun afresh, at no attempt and without a wait',
  async () => {
    await using scene = await makeNight(interrupted);
    const stopped = await expectExit(130, endAt(scene, 'half.txt', 'SIGINT'));
    const work = { files: 1, insertions: 1, deletions: 0 };
    expect(factsOf(stopped, 'run-ended')).toMatchObject([{ difference: { files: 0 }, uncommitted: work }]);
    await forget(scene);
    const again = await expectExit(0, scene.run());
    expect(factsOf(again, 'run-ended').map(({ uncommitted }) => uncommitted)).toEqual([undefined]);
    expect(storyOf(again)).toEqual(['crashed', 'done', '1 proven']);
    expect(sessionsOf(again).map(({ continues }) => continues)).toEqual([1, undefined]);
    expect(factsOf(again, 'session-ended')[0]?.reason).toContain('No conversation found');
    expect(await readRun(scene, 'sessions/003.prompt.md')).not.toContain('You were cut off');
  },
);
