// `pawl agent check` with the real CLIs on the scripted model, and with programs that are no agents: a table of what was
// seen, or what is wrong within its clock.
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { acpCasts, acpServers, installedCasts, settingsOfServers } from '../helpers/acp-home.ts';
import { honest } from '../helpers/letters.ts';
import { expectNoProcess, makeNight } from '../helpers/night.ts';
import { type Cast, tell } from '../helpers/pawl.ts';
import { isSoak, share } from '../helpers/share.ts';

const turns: readonly Turn[] = [
  { when: 'This is a test of the connection', steps: [{ say: 'heron' }] },
  { when: 'Now write the line', steps: [{ bash: 'echo heron > note.txt' }, { say: 'done' }] },
  { when: 'Run this command', steps: [{ bash: 'touch begun; sleep 300' }, { say: 'done' }] },
  { when: 'Without any tool: which word', steps: [{ say: 'heron' }] },
  { when: 'The login of this session is a wrong one', steps: [{ api: { status: 401 } }] },
];
const check = async (cast: Cast, played = turns, name: string = cast) => {
  await using scene = await makeNight({ cast, turns: played });
  Object.assign(scene.env, settingsOfServers(scene.env));
  const ended = await scene.pawl('agent', 'check', name, '--json');
  await expectNoProcess(scene);
  const { trials, tokens } = JSON.parse(ended.stdout || '{"trials":[]}');
  const seen = Object.fromEntries(
    trials.map(({ name, seen }: { name: string; seen: string }) => [name, seen]),
  );
  return { ended, seen, trials, tokens };
};
const all = {
  answers: 'yes',
  writes: 'yes',
  corrected: 'yes',
  usage: 'yes',
  cancelled: 'yes',
  resumes: 'yes',
  refused: 'yes',
};

// The trials of an agent are made in a session as it is in a run: one of the CLIs shows them.
test.each<Cast>(share(['codex', 'claude'], 2))('%s does all that pawl counts on', async (cast) => {
  const { ended, seen, tokens } = await check(cast);
  expect(seen, tell(ended)).toEqual(all);
  expect(ended.exit).toBe(0);
  expect(ended.stderr).toMatch(/a few cents at most/);
  expect(tokens.output).toBeGreaterThan(0);
});

test.runIf(isSoak).each(acpCasts.filter((cast) => installedCasts.includes(cast)))('%s', async (cast) => {
  const { ended, seen } = await check(cast);
  const known = {
    ...{ copilot: {}, gemini: { resumes: 'not tried' }, kimi: { refused: 'not tried', usage: 'no' } },
    ...{ opencode: { refused: 'not tried' }, qwen: {} },
  }[cast];
  expect(seen, tell(ended)).toEqual({ ...all, ...known });
  expect(ended.exit).toBe(0);
});

test.runIf(isSoak).each(acpServers.filter(({ isThere }) => isThere))(
  '$cast by its ACP server',
  async ({ cast }) => {
    const { ended, seen } = await check(cast, turns, `${cast}-acp`);
    expect(seen, tell(ended)).toEqual(all);
    expect(ended.exit).toBe(0);
  },
);

test.runIf(isSoak)('an agent that does less than it should: the table says what, exit 1', async () => {
  const forgetful = turns.filter(({ when }) => !JSON.stringify(when).includes('which word'));
  const { ended, seen } = await check('codex', [...forgetful, { steps: [{ say: 'what word?' }] }]);
  expect(seen, tell(ended)).toMatchObject({ answers: 'yes', resumes: 'no' });
  expect(ended.exit).toBe(1);
});

test.each<[string, string, RegExp]>([
  ['prints no JSON', 'echo hello; sleep 60', /nothing was printed|speaks ACP/],
  [
    'speaks version 2 only',
    `read line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2}}'; cat > /dev/null`,
    /speaks version 2 of ACP, pawl version 1/,
  ],
  ['dies in the handshake', 'echo "cannot find my config" >&2; exit 3', /cannot find my config/],
])('a program that %s', async (_, script, says) => {
  await using scene = await makeNight({ turns: honest('a') });
  const program = path.join(scene.home, 'program');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  const env = scene.env as Record<string, string>;
  env['PAWL_AGENTS'] = JSON.stringify({ acp: { command: program } });
  env['SHORT_CLOCKS_MS'] =
    '{"firstEventMs":2000,"silenceMs":3000,"apiMs":3000,"termMs":500,"interruptMs":500}';
  const ended = await scene.pawl('agent', 'check', 'acp');
  expect(ended.exit, tell(ended)).toBe(1);
  expect(ended.stdout).toMatch(says);
  await expectNoProcess(scene);
});

test('a name that nobody has', async () => {
  await using scene = await makeNight({ turns: honest('a') });
  const ended = await scene.pawl('agent', 'check', 'codx');
  expect(ended.exit, tell(ended)).toBe(2);
  expect(ended.stderr).toMatch(/there is no agent codx; did you mean codex\?[\s\S]*opencode/);
});
