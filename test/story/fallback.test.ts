// Another agent continues while one is at its usage limit: the real codex CLI for a scripted Claude Code. Which agent it is
// in each case is told by table in test/agent/fallback.test.ts.
import { expect, test } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { endAt, expectNoProcess, makeNight, shiftClock, storyOf } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

/** Claude Code meets its limit in the middle of the first task. */
const limited = (resetsInS: number): Turn =>
  onTask('a', [{ bash: 'echo half > half.txt' }, { limit: { resetsInS, window: 'seven_day' } }], true);
const night = (turns: readonly Turn[], beside: readonly Turn[], env = {}) =>
  makeNight({
    turns,
    beside: { cast: 'codex', turns: beside },
    auth: 'oauth',
    env: { PAWL_TASK_ATTEMPTS: '1', PAWL_AGENT_FALLBACK: 'codex', ...env },
  });
const agentsOf = (ended: Ended) =>
  factsOf(ended, 'session-started').map(({ agent, insteadOf = '' }) => `${agent} ${insteadOf}`.trim());
const switchesOf = (ended: Ended) =>
  factsOf(ended, 'agent-switched').map(({ from, to, why }) => `${from} ${to} ${why}`);

/** The arguments of Node for a program that shakes hands by ACP and answers each prompt with a text, or not at all; `first` is done before. */
const speaking = (answer: string, first = '') =>
  JSON.stringify({
    acp: {
      command: 'node',
      args: [
        '-e',
        `${first}
const send = (value) => console.log(JSON.stringify({ jsonrpc: '2.0', ...value }));
const answer = ${JSON.stringify(answer)};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  if (method === 'session/new') send({ id, result: { sessionId: 's' } });
  if (method !== 'session/prompt' || answer === '') return;
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: answer } };
  send({ method: 'session/update', params: { sessionId: 's', update } });
  send({ id, result: { stopReason: 'end_turn' } });
})`,
      ],
    },
  });

test('codex continues the same task, and Claude Code is back after its reset', async () => {
  await using scene = await night([limited(3_600), ...honest('b')], honest('a', 'b'), {
    ...shiftClock(2 * 60 * 60 * 1_000, 'journal task-closed#1'),
    PAWL_ROLES_TASK: 'opus:high',
  });
  const ended = await expectExit(0, scene.run());
  expect(storyOf(ended)).toEqual(['limited', '1 wait', 'done', '1 proven', 'done', '2 proven']);
  expect(agentsOf(ended)).toEqual(['claude', 'codex claude', 'claude']);
  expect(switchesOf(ended)).toEqual(['claude codex limit', 'codex claude back']);
  expect(factsOf(ended, 'session-started').map(({ model }) => model)).toEqual(['opus', undefined, 'opus']);
  expect(await scene.repo.git('show', '--name-only', '--format=', 'HEAD~1', '--', '*.txt')).toBe(
    'a.txt\nhalf.txt',
  );
  const report = (await scene.pawl('report')).stdout;
  expect(report).toMatch(
    /by claude, then codex, 1 attempt[\s\S]*codex: cost unknown in 1 session; .*, 40 output/,
  );
  await expectNoProcess(scene);
});

inSoak('another login of Claude Code continues: its variables reach its sessions alone', async () => {
  const note: Step = { bash: 'echo "folder $CLAUDE_CONFIG_DIR" >> logins.txt' };
  const own = (...letters: string[]) => letters.map((letter) => onTask(letter, [note, write(letter), done]));
  await using scene = await makeNight({
    turns: [
      onTask('a', [note, { limit: { resetsInS: 3_600, window: 'seven_day' } }], true),
      ...own('a', 'b'),
    ],
    auth: 'oauth',
    env: {
      ...shiftClock(2 * 60 * 60 * 1_000, 'journal task-closed#1'),
      PAWL_TASK_ATTEMPTS: '1',
      PAWL_AGENT_FALLBACK: 'work',
      PAWL_AGENTS: JSON.stringify({ work: { use: 'claude', env: { CLAUDE_CONFIG_DIR: '~/work' } } }),
      PAWL_ROLES_TASK: 'opus:high',
    },
  });
  const ended = await expectExit(0, scene.run());
  expect(agentsOf(ended)).toEqual(['claude', 'work claude', 'claude']);
  expect(switchesOf(ended)).toEqual(['claude work limit', 'work claude back']);
  expect(factsOf(ended, 'session-started').map(({ uses, model }) => [uses, model])).toEqual([
    [undefined, 'opus'],
    ['claude', 'opus'],
    [undefined, 'opus'],
  ]);
  expect((await scene.repo.read('logins.txt')).split('\n')).toEqual([
    'folder ',
    `folder ${scene.home}/work`,
    'folder ',
    '',
  ]);
  expect((await scene.pawl('report')).stdout).toMatch(/by claude, then work/);
  // Its raw stream is read as that of the agent it uses.
  expect((await scene.pawl('logs', '--verbose')).stdout).toContain('logins.txt');
});

inSoak('a kill while codex stands in: it stands in for the resumed run', async () => {
  const codex = [onTask('a', [{ bash: 'echo more > more.txt; sleep 60' }], true), ...honest('a', 'b')];
  await using scene = await night([limited(3_600), ...honest('a', 'b')], codex);
  await endAt(scene, 'more.txt', 'SIGKILL');
  const again = await expectExit(0, scene.again());
  expect(agentsOf(again)).toEqual(['codex claude', 'codex claude']);
  await expectNoProcess(scene);
});

/** An agent that ends before it has said a word. */
const dying = {
  PAWL_AGENTS: JSON.stringify({
    acp: { command: 'node', args: ['-e', "console.error('cannot find my config'); process.exit(3)"] },
  }),
};

inSoak('one that dies in its handshake is passed over, once', async () => {
  const says = { when: 'You review', steps: [{ bash: 'cat a.txt' }, { answer: { findings: [] } }] };
  await using scene = await night([limited(3_600)], [...honest('a', 'b'), says], {
    ...dying,
    PAWL_AGENT_FALLBACK: 'acp,codex',
    PAWL_REVIEW_STAGES: '[{ name: one, reviewers: [quality] }]',
  });
  const ended = await expectExit(0, scene.run());
  expect(storyOf(ended).slice(0, 6)).toEqual(['limited', '1 wait', 'crashed', '1 wait', 'done', '1 proven']);
  expect(agentsOf(ended)).toEqual([
    'claude',
    'acp claude',
    ...Array.from({ length: 3 }, () => 'codex claude'),
  ]);
  expect(switchesOf(ended)).toEqual(['claude acp limit', 'acp codex refused', 'claude codex limit']);
  expect(factsOf(ended, 'round-ended')[1]?.reason).toMatch(/^acp cannot stand in: .*cannot find my config/);
  await expectNoProcess(scene);
});

inSoak('an agent that falls silent, as some do at their limit: another continues', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    env: {
      PAWL_TASK_ATTEMPTS: '1',
      PAWL_AGENT_FALLBACK: 'claude',
      PAWL_AGENT_NAME: 'acp',
      PAWL_AGENTS: speaking(''),
      SHORT_CLOCKS_MS: '{"silenceMs":1500,"interruptMs":500,"termMs":500,"drainMs":3000}',
    },
  });
  const ended = await expectExit(0, scene.run());
  expect(storyOf(ended)).toEqual(['overloaded', '1 wait', 'done', '1 proven']);
  expect(agentsOf(ended)).toEqual(['acp', 'claude acp']);
});

inSoak('tasks that name their agents, and a reviewer of a third: no setting reaches another', async () => {
  const says = '{"findings": []}';
  const plan = letterPlan('a', 'b').replace('### Task 2: Write b\n', '### Task 2: Write b\n- agent: codex\n');
  await using scene = await makeNight({
    plan,
    beside: { cast: 'codex', turns: honest('a', 'b') },
    env: {
      PAWL_TASK_ATTEMPTS: '1',
      PAWL_ROLES_TASK: 'opus:high',
      PAWL_AGENTS: speaking(says),
      PAWL_ROLES_REVIEW: 'sonnet',
      PAWL_REVIEW_STAGES: '',
    },
    files: {
      '.pawl/config.yaml': 'review: { stages: [{ name: third, reviewers: [quality], agent: acp }] }\n',
    },
  });
  const ended = await expectExit(0, scene.run());
  expect(factsOf(ended, 'session-started').map(({ agent, role, model }) => [role, agent, model])).toEqual([
    ['task', 'claude', 'opus'],
    ['task', 'codex', undefined],
    ['review', 'acp', undefined],
  ]);
  expect(factsOf(ended, 'agent-switched')).toEqual([]);
});
