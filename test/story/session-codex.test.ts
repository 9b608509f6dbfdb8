// The real codex CLI as a reviewer, on the scripted Responses API: an opinion by schema from a read-only sandbox, and
// every way to give none.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { codexAgent } from '../../src/agent/codex/adapter.ts';
import { opinionJsonSchema } from '../../src/event/finding.ts';
import { readOpinion } from '../../src/finding/opinion.ts';
import { startSession } from '../agent/session/session-setup.ts';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { makeCodexHome } from '../helpers/codex-home.ts';
import { startOpenModel } from '../helpers/open-model.ts';
import { makeRepo } from '../helpers/temp-repo.ts';

let stack: AsyncDisposableStack;

beforeEach(() => {
  stack = new AsyncDisposableStack();
});

afterEach(() => stack.disposeAsync());

const finding = {
  ...{ file: 'README.md', line: 1, severity: 'major', title: 'The word is wrong' },
  ...{ evidence: 'it says ours', suggestion: '', proof: { command: '', patch: '' } },
};

/** As one before 0.9: it can be told no name for what it starts, and codex's helper has none in a temporary CODEX_HOME. */
const oldBwrap = `#!/bin/sh
case "$*" in --help) echo --as-pid-1 --perms ;; *codex-linux-sandbox*) echo "bwrap: execvp codex-linux-sandbox: No such file or directory" >&2; exit 1 ;; esac
`;

/** A reviewer's session in a repository with an AGENTS.md; the first turn is over. */
async function review(steps: readonly Step[], bwrap?: string) {
  const model = stack.use(await startOpenModel({ turns: [{ steps }] }));
  const home = stack.use(await makeCodexHome(model.url));
  if (bwrap !== undefined) writeFileSync(path.join(home.env['PATH'] ?? '', 'bwrap'), bwrap, { mode: 0o755 });
  const repo = stack.use(await makeRepo());
  await repo.write('AGENTS.md', 'Sing while you work.\n');
  const test = stack.use(
    await startSession({
      agent: codexAgent({ command: home.program, args: [] }),
      env: home.env,
      cwd: repo.path,
      prompt: 'Review it.',
      reviewer: 'external',
      request: { readOnly: true, schema: opinionJsonSchema() },
    }),
  );
  return { test, model, repo, turn: await test.session.firstTurn() };
}

describe('the real codex CLI that works over its app server', () => {
  test.each([
    { trusted: true, heard: ['Sing while', 'Dance while'] },
    { trusted: false, heard: [] },
  ])(
    'trusted $trusted: what the repository tells it, and nothing in its settings',
    async ({ trusted, heard }) => {
      const model = stack.use(await startOpenModel({ turns: [{ steps: [{ say: 'Done.' }] }] }));
      const home = stack.use(await makeCodexHome(model.url));
      const repo = stack.use(await makeRepo());
      await repo.write('AGENTS.md', 'Sing while you work.\n');
      await repo.write('.codex/config.toml', 'developer_instructions = "Dance while you work."\n');
      const settings = path.join(home.env['CODEX_HOME'] ?? '', 'config.toml');
      const before = readFileSync(settings, 'utf8');
      const agent = codexAgent({ command: home.program, args: [] });
      const test = stack.use(
        await startSession({ agent, env: home.env, cwd: repo.path, request: { trusted } }),
      );
      expect((await test.session.firstTurn()).outcome.kind).toBe('silent');
      expect(await test.session.close()).toMatchObject({ exitCode: 0 });
      expect(test.facts()).not.toContain('leftovers-ended');
      const sent = model.requests.join('');
      expect(['Sing while', 'Dance while'].filter((words) => sent.includes(words))).toEqual(heard);
      expect(readFileSync(settings, 'utf8')).toBe(before);
    },
  );
});

describe('the real codex CLI as a reviewer', () => {
  it('answers by schema, and can write nothing', async () => {
    const { test, model, repo, turn } = await review([
      { bash: 'cat README.md' },
      { bash: 'echo mine > README.md; echo new > new.txt' },
      { say: JSON.stringify({ findings: [finding] }) },
    ]);
    expect(turn.outcome.kind).toBe('silent');
    expect(readOpinion(turn)).toEqual({ value: { findings: [finding] } });
    expect(await test.session.close()).toMatchObject({
      exitCode: 0,
      tokens: { input: 270, cacheRead: 30, output: 60 },
    });
    expect(await repo.read('README.md')).not.toContain('mine');
    expect(existsSync(path.join(repo.path, 'new.txt'))).toBe(false);
    const [first = '', , third = ''] = model.requests;
    expect(JSON.parse(first)).toMatchObject({
      text: { format: { type: 'json_schema', strict: true, schema: opinionJsonSchema() } },
    });
    expect(third).toContain('Read-only file system');
    expect(first).toContain('Sing while you work');
  });

  it('that can run nothing in its sandbox gives no opinion, whatever it says', async () => {
    const { turn, model } = await review([{ bash: 'cat README.md' }, { say: '{"findings":[]}' }], oldBwrap);
    expect(turn.outcome).toMatchObject({ kind: 'crashed' });
    expect(turn.outcome.reason).toContain('codex sandbox -- true');
    expect(model.requests[1]).toContain('execvp codex-linux-sandbox');
  });

  it('whose login is refused is ended and gives no opinion', async () => {
    const { test, turn } = await review([{ api: { status: 401 } }]);
    expect(turn.outcome).toMatchObject({ kind: 'refused' });
    expect(readOpinion(turn)).toHaveProperty('problem');
    await test.session.close();
    expect(await test.processes()).toEqual([]);
  });
});
