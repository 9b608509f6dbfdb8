// The checks of a draft, tried for once: real commands in a real checkout of HEAD, of which nothing is left.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findShell } from '../../../src/check/shell.ts';
import { configSchema } from '../../../src/config/schema.ts';
import type { Event, Fact, Stamped } from '../../../src/event.ts';
import { groundsOf } from '../../../src/ground/in-ground.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import { tryTaskChecks } from '../../../src/phase/planning/dialogue.ts';
import type { Place } from '../../../src/place/place.ts';
import { parsePlan } from '../../../src/plan/parse.ts';
import { sweep } from '../../../src/process/host-sweep.ts';
import { spawn } from '../../../src/process/spawn.ts';
import { type Opened, openTemp } from '../../git/open.ts';
import { fact, stampAll } from '../../helpers/facts.ts';

async function contextOf(made: Opened, signal = new AbortController().signal) {
  const told: Fact[] = [];
  const folder = path.join(made.home, 'run');
  mkdirSync(path.join(folder, 'checks'), { recursive: true });
  const env = { PATH: process.env['PATH'] ?? '', HOME: made.home };
  const place = {
    repo: made.repo,
    run: {
      id: 'r',
      folder,
      grounds: path.join(made.home, 'grounds'),
      now: () => new Date(0),
      random: (bytes: number) => randomBytes(bytes).toString('hex'),
      config: configSchema.parse({}),
      emit: (event: Event) => told.push(event as Fact),
      state: () => foldRun(stampAll([fact('run-started'), ...told]) as readonly Stamped<Fact>[]),
      signal,
    },
    spawn,
    sweep,
    shell: await findShell(env),
    env,
  } as unknown as Place;
  return { place, told, folder };
}

const planOf = (...checks: readonly string[]) =>
  parsePlan(
    `# P\n\n## Checks\n- \`true\`\n\n### Task 1: A\n- check: \`true\` (known red)\n${checks.map((check) => `- check: \`${check}\`\n`).join('')}- [ ] a\n`,
    'p.md',
  );

/** Whether anything is where the run's grounds are. */
const leftOf = (place: Place) => existsSync(groundsOf(place));

test('checks run on HEAD, with the installed packages, and touch nothing of the user', async () => {
  await using made = await openTemp({ files: { 'a.txt': 'committed\n', '.gitignore': 'node_modules\n' } });
  const { place, told, folder } = await contextOf(made);
  const bin = path.join(made.temp.path, 'node_modules', '.bin');
  const own = path.join(made.temp.path, 'node_modules', 'own');
  for (const each of [bin, own]) mkdirSync(each, { recursive: true });
  writeFileSync(path.join(own, 'index.js'), '');
  writeFileSync(path.join(made.temp.path, 'a.txt'), 'changed\n');
  const problems = await tryTaskChecks(
    place,
    planOf(
      'grep -q committed a.txt',
      'grep -q changed a.txt',
      `node -e 'require("own")'`,
      'rm -rf node_modules/* a.txt; exit 1',
      'no-such-program-of-all',
    ),
  );
  expect(problems).toEqual([
    expect.stringMatching(/`grep -q committed a.txt` of task 1 passes before any work/),
    expect.stringMatching(/require\("own"\).* of task 1 passes before any work/),
    expect.stringMatching(/cannot start: there is no no-such-program-of-all/),
  ]);
  expect(readFileSync(path.join(made.temp.path, 'a.txt'), 'utf8')).toBe('changed\n');
  expect(existsSync(own)).toBe(true);
  expect(leftOf(place)).toBe(false);
  expect(told.flatMap((one) => (one.type === 'check-ended' ? `${one.check} ${one.result}` : []))).toEqual([
    'task:1:2 green',
    'task:1:3 red',
    'task:1:4 green',
    'task:1:5 red',
    'task:1:6 could-not-run',
  ]);
  expect(readdirSync(path.join(folder, 'checks'))).toHaveLength(5);
});

test('a check that is only tried has a smaller clock, which `clocks.check` bounds', async () => {
  await using made = await openTemp({ files: { 'a.txt': '' } });
  const { place } = await contextOf(made);
  const config = configSchema.parse({ clocks: { check: '1s' } });
  const hurried = { ...place, run: { ...place.run, config } };
  expect(await tryTaskChecks(hurried, planOf('sleep 300'))).toEqual([
    expect.stringContaining('`sleep 300` of task 1 did not end within 1 s when it was tried'),
  ]);
});

test('an interruption says nothing about a check, and leaves nothing', async () => {
  await using made = await openTemp({ files: { 'a.txt': '' } });
  const stop = new AbortController();
  const { place, told } = await contextOf(made, stop.signal);
  const emit = place.run.emit;
  const stopping = {
    ...place,
    run: {
      ...place.run,
      emit: (event: Event) => {
        emit(event as Fact);
        if (event.type === 'check-started' && event.check === 'task:1:3') stop.abort();
      },
    },
  } as unknown as Place;
  expect(await tryTaskChecks(stopping, planOf('true', 'true'))).toBeUndefined();
  expect(told.filter(({ type }) => type === 'check-started')).toHaveLength(2);
  expect(leftOf(place)).toBe(false);
});
