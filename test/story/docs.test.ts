// Every code block of the guides is run: shell blocks in order in a scratch repository with a scripted agent, plans and
// settings are read, and what a page shows as output is what was printed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { readAction } from '../helpers/composite-action.ts';
import { blocksOf, pages } from '../helpers/doc-blocks.ts';
import { honest, letterPlan } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { makeScene, pawlProgram, putPrograms, type Scene } from '../helpers/pawl.ts';
import { isSoak } from '../helpers/share.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** What each page's agent does; by default the tasks of letters, honestly. */
const agents: Readonly<Record<string, readonly Turn[]>> = {
  'docs/first-night.md': [
    {
      when: '### Task 1',
      once: true,
      steps: [{ say: 'I have handled it, and all tests pass.\n\n{{marker TASK_DONE it is handled}}' }],
    },
    {
      when: '### Task 2',
      steps: [
        { bash: "echo 'slug(text) makes an address' > README.md" },
        { say: 'Done.\n\n{{marker TASK_DONE wrote it}}' },
      ],
    },
    {
      once: false,
      steps: [
        { bash: 'sed -i "s/slug(text)/slug(text = \'\')/" src/slug.js' },
        { say: 'It threw. Now it does not.\n\n{{marker TASK_DONE a missing text is an empty one}}' },
      ],
    },
  ],
  'docs/how-it-works.md': [
    {
      when: '### Task 1',
      once: true,
      steps: [
        { bash: 'echo 41 > total.txt' },
        { bash: 'echo true > check.sh' },
        { bash: "sed -i 's/- \\[ \\]/- [x]/' docs/plans/total.md" },
        { bash: 'git add -A && git commit -qm "Task 1 is done"' },
        { say: 'The total is written, and the check is green.\n\n{{marker TASK_DONE wrote the total}}' },
      ],
    },
    {
      when: 'decides about this task',
      steps: [
        { bash: 'git checkout -q HEAD -- check.sh' },
        { say: 'It is as it was.\n\n{{marker TASK_DONE put it back}}' },
      ],
    },
    {
      once: false,
      steps: [
        { bash: 'echo 42 > total.txt' },
        { say: 'The sum was wrong.\n\n{{marker TASK_DONE the total is 42}}' },
      ],
    },
  ],
};

const reviewers: Turn = { when: { schema: true }, steps: [{ answer: { findings: [] } }] };
/** For the plan of `pawl init`. */
const anything: Turn = {
  once: false,
  steps: [{ bash: 'echo use it > USAGE.md' }, { say: '{{marker TASK_DONE wrote it}}' }],
};

async function makeScratch(page: string): Promise<Scene & { shell(text: string): string }> {
  const plans = Object.fromEntries(
    ['login', 'search'].map((name) => [`docs/plans/${name}.md`, letterPlan('a')]),
  );
  const scene = await makeScene({
    turns: [reviewers, ...(agents[page] ?? [...honest('a', 'b'), anything])],
    files: {
      ...(page === 'README.md' ? {} : plans),
      ...(page === 'docs/coming-from.md' ? { '.ralphex/config': 'task_model = opus\n' } : {}),
      'plan.md': letterPlan('b'),
      'package.json': '{ "scripts": { "test": "true" } }\n',
    },
    env: {
      PAWL_ARCHIVE: 'false',
      // What a page shows is what a person sees.
      ...(told.has(page) ? { PAWL_PROVE: 'report' } : {}),
      IS_SANDBOX: '1',
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@b.c',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@b.c',
    },
  });
  scene.env['PATH'] = `${path.dirname(process.execPath)}:${scene.env['PATH']}`;
  const claude = `exec '${scene.env['PAWL_AGENT_CLAUDE_COMMAND']}' "$@"`;
  const programs = { pawl: pawlProgram(), 'notify-send': '', claude };
  await putPrograms(scene.env, path.join(scene.home, 'bin'), programs);
  const trusted = (await scene.pawl('trust', '--yes', '--json')).stdout;
  const env = {
    ...scene.env,
    HASH: /"hash": ?"([0-9a-f]+)"/.exec(trusted)?.[1] ?? '',
  };
  if (page === 'docs/fleet.md') {
    const origin = path.join(scene.home, 'origin.git');
    await scene.repo.git('init', '-q', '--bare', origin);
    await scene.repo.git('remote', 'add', 'origin', origin);
  }
  let cwd = scene.repo.path;
  const shell = (text: string): string => {
    const folder = path.join(scene.home, 'cwd');
    const script = `${text}\npwd >'${folder}'\n`;
    const ended = spawnSync('bash', ['-euo', 'pipefail', '-c', script], { cwd, env, encoding: 'utf8' });
    expect(ended.status, `${text}\n${ended.stdout}${ended.stderr}`).toBe(0);
    cwd = readFileSync(folder, 'utf8').trim();
    return ended.stdout + ended.stderr;
  };
  return { ...scene, shell };
}

/** Pages of commands that have stories of their own: only a soak plays them. */
const toldElsewhere: ReadonlySet<string> = new Set([
  'docs/automation.md',
  'docs/coming-from.md',
  'docs/fleet.md',
  'docs/running.md',
]);

/** Figures, ids and blanks differ each time. */
function bare(line: string): string {
  return (
    line
      .replace(/^\d\d:\d\d:\d\d /, '')
      // The random end of a run's name.
      .replaceAll(/(?<=\d{8}-\d{6}-[\w-]*)-[a-z0-9]{6}(?=[/ ]|$)/g, '')
      .replaceAll(/\b[0-9a-f]{10}\b/g, '#')
      .replaceAll(/\d+/g, '#')
      .replaceAll(/#(?:\.#)*m?s\b/g, '#s')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}

/** Pages whose output is that of their own blocks; elsewhere it illustrates. */
const told: ReadonlySet<string> = new Set(Object.keys(agents));

describe('settings', () => {
  const all = pages.flatMap((page) =>
    blocksOf(page)
      .filter(({ kind }) => kind === 'yaml')
      .map((block) => ({ page, ...block })),
  );
  test.each(all)('$page:$line $rest', async ({ rest, text }) => {
    if (rest === 'action') {
      const [step] = parse(text) as readonly { uses: string; with: object }[];
      const { inputs } = readAction(path.join(root, 'action.yml'));
      expect(Object.keys(step?.with ?? {}).filter((name) => !(name in inputs))).toEqual([]);
      return;
    }
    // A person's own file may hold every setting.
    using folder = makeTempFolder();
    await writeFile(path.join(folder.path, 'config.yaml'), text);
    const at = folder.path;
    const folders = { home: at, config: at, state: at, cache: at, runtime: undefined };
    loadConfig({ root: at, env: {}, folders, trusted: true });
  });
});

describe('shell blocks, and the output that is shown', () => {
  const withShell = pages.filter(
    (page) =>
      (isSoak || !toldElsewhere.has(page)) &&
      blocksOf(page).some(({ kind, rest }) => kind === 'sh' && rest === ''),
  );
  test.each(withShell)('%s', async (page) => {
    if (page === 'docs/automation.md' && !has('jq')) return;
    await using scratch = await makeScratch(page);
    let output = '';
    for (const { kind, rest, text, line } of blocksOf(page)) {
      const [, file] = /^plan=(\S+)$/.exec(rest) ?? [];
      if (kind === 'markdown' && file !== undefined)
        scratch.shell(`mkdir -p "$(dirname ${file})"\ncat >${file} <<'END_OF_PLAN'\n${text}END_OF_PLAN`);
      if (kind === 'sh' && rest === '') output += scratch.shell(text);
      if (kind !== 'text' || !told.has(page)) continue;
      const printed = new Set(output.split('\n').map(bare));
      const missing = text.split('\n').filter((each) => each.trim() !== '…' && !printed.has(bare(each)));
      expect(missing, `${page}:${line}\n${output}`).toEqual([]);
    }
  });
});
