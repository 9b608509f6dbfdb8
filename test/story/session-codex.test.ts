// The real codex CLI as a reviewer, on the scripted Responses API: an opinion by schema from a read-only sandbox, and
// every way to give none.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentRequest } from '../../src/agent/agent.ts';
import { codexAgent } from '../../src/agent/codex.ts';
import { opinionJsonSchema } from '../../src/event/finding.ts';
import { readOpinion } from '../../src/finding/opinion.ts';
import { startSession, type TestPlan } from '../agent/session-setup.ts';
import { codexPath, makeCodexHome } from '../helpers/codex-home.ts';
import { type ResponsesReply, startResponses } from '../helpers/responses-api.ts';
import { makeRepo } from '../helpers/temp-repo.ts';

let stack: AsyncDisposableStack;

beforeEach(() => {
  stack = new AsyncDisposableStack();
});

afterEach(() => stack.disposeAsync());

const finding = {
  ...{ file: 'README.md', line: 1, severity: 'major', title: 'The word is wrong' },
  ...{ evidence: 'it says ours', suggestion: '' },
};

/** A reviewer's session in a repository with an AGENTS.md; the first turn is over. */
async function review(
  replies: readonly ResponsesReply[],
  given: Readonly<{ request?: Partial<AgentRequest>; clocks?: TestPlan['clocks'] }> = {},
) {
  const model = stack.use(await startResponses(replies));
  const home = stack.use(await makeCodexHome(model.url));
  const repo = stack.use(await makeRepo());
  await repo.write('AGENTS.md', 'Sing while you work.\n');
  const schemaFile = path.join(repo.path, '.git', 'schema.json');
  writeFileSync(schemaFile, JSON.stringify(opinionJsonSchema()));
  const test = stack.use(
    await startSession({
      agent: codexAgent({ command: codexPath, args: [], sandbox: 'none' }),
      env: home.env,
      cwd: repo.path,
      prompt: 'Review it.',
      request: { readOnly: true, schemaFile, ...given.request },
      ...(given.clocks === undefined ? {} : { clocks: given.clocks }),
    }),
  );
  return { test, model, repo, turn: await test.session.firstTurn() };
}

describe('the real codex CLI as a reviewer', () => {
  it('answers by schema, and can write nothing', async () => {
    const { test, model, repo, turn } = await review([
      { run: 'cat README.md; echo mine > README.md; echo new > new.txt' },
      { say: JSON.stringify({ findings: [finding] }) },
    ]);
    expect(turn.outcome.kind).toBe('silent');
    expect(readOpinion(turn)).toEqual({ value: { findings: [finding] } });
    expect(await test.session.close()).toMatchObject({
      exitCode: 0,
      leftovers: [],
      tokens: { input: 180, cacheRead: 20, output: 40 },
    });
    expect(await repo.read('README.md')).not.toContain('mine');
    expect(existsSync(path.join(repo.path, 'new.txt'))).toBe(false);
    const [first = '', second = ''] = model.requests;
    expect(JSON.parse(first)).toMatchObject({
      text: { format: { type: 'json_schema', strict: true, schema: opinionJsonSchema() } },
    });
    // It did run the command, and read.
    expect(second).toContain('Read-only file system');
    expect(first).toContain('Sing while you work');
  });

  it('is not told what an untrusted repository tells agents', async () => {
    const { model, turn } = await review([{ say: '{"findings":[]}' }], { request: { trusted: false } });
    expect(readOpinion(turn)).toEqual({ value: { findings: [] } });
    expect(model.requests.join('')).not.toContain('Sing while you work');
  });

  it('whose login is refused is ended and gives no opinion', async () => {
    const { test, turn } = await review([{ status: 401 }]);
    expect(turn.outcome).toMatchObject({ kind: 'refused' });
    expect(readOpinion(turn)).toHaveProperty('problem');
    await test.session.close();
    expect(await test.processes()).toEqual([]);
  });

  it('that hangs is ended by its clock', async () => {
    const { test, turn } = await review(['hang'], { clocks: { silenceMs: 2_000 } });
    expect(turn.outcome).toMatchObject({ kind: 'timed-out', clock: 'silence' });
    expect(readOpinion(turn)).toHaveProperty('problem');
    await test.session.close();
    expect(await test.processes()).toEqual([]);
  });

  it('that praises instead of answering gives no opinion', async () => {
    const { turn } = await review([{ say: 'No issues found, well done!' }]);
    expect(turn.outcome.kind).toBe('silent');
    expect(readOpinion(turn)).toEqual({ problem: 'the answer holds no JSON' });
  });
});
