// What the dashboard tells and does, asked without a browser: the list, one run, its evidence, commands that are counted as the
// dashboard's own, and news for a tab.
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunFolder } from '../../src/journal/folder.ts';
import { readJournal } from '../../src/journal/read-journal.ts';
import { rawFile } from '../../src/journal/replay.ts';
import type { WorkEvidence } from '../../src/report/view/attempts.ts';
import { rememberRepository } from '../../src/start/known-repositories.ts';
import { findPlaceAt } from '../../src/start/locate.ts';
import { lastNumber, Parts } from '../../src/web/parts.ts';
import type { ActivityItem, Card, News } from '../../src/web/view.ts';
import { fact, setAside, stampAll } from '../helpers/facts.ts';
import { makeSite, parked } from './site.ts';

const run = '20261121-223005-auth';

test('the list has every run; what cannot be read says why; one that is gone is told', async () => {
  using site = makeSite();
  site.write(run, parked);
  site.write('20261120-100000-old', [fact('run-started'), fact('run-ended', { exit: 0, finished: true })]);
  site.write('20261119-100000-torn', [fact('run-started')]);
  site.append('20261119-100000-torn', 'not json\n{"v":10}\n');
  const { n, parts } = await site.get<News>('/api/news');
  const cards = Object.values(parts) as Card[];
  expect(cards.map((card) => ('damage' in card ? card.damage : card.state))).toEqual([
    'stopped',
    'finished',
    expect.stringMatching(/journal\.ndjson:2 is not a line of pawl's journal/),
  ]);
  expect(cards[0]?.needs.map(({ kind, task }) => `${kind} ${task}`)).toEqual(['question 2']);
  const gone = `card/${site.id(run)}`;
  rmSync(site.folder(run), { recursive: true });
  const later = site.get<News>(`/api/news?since=${n}`);
  await site.watcher.refresh();
  expect((await later).parts).toMatchObject({ [gone]: null });
});

test('a run is told in parts, and then only what is new', async () => {
  using site = makeSite();
  site.write(run, parked.slice(0, 6));
  await site.watcher.refresh();
  const first = await site.get<News>(`/api/news?run=${site.id(run)}`);
  expect(Object.keys(first.parts).filter((name) => !name.startsWith('card/'))).toEqual([
    ...['run', 'task/1', 'task/2', 'report', 'log'],
  ]);
  const later = site.get<News>(`/api/news?run=${site.id(run)}&since=${first.n}&seen=${first.n}`);
  for (const each of stampAll([setAside('parked', { task: '2' })]))
    site.append(run, `${JSON.stringify(each)}\n`);
  const { parts } = await later;
  expect(Object.keys(parts)).toContain('task/2');
  expect(Object.keys(parts)).not.toContain('task/1');
});

test('a tab that looked elsewhere for long, or knows another server, is told all anew', async () => {
  using site = makeSite();
  site.write(run, parked.slice(0, 6));
  const ask = (since: number, seen: number) =>
    site.get<News>(`/api/news?run=${site.id(run)}&since=${since}&seen=${seen}`);
  await site.watcher.refresh();
  const { n, isWhole, isRunWhole } = await ask(0, 0);
  expect([isWhole, isRunWhole]).toEqual([true, true]);
  Object.assign(site.watcher.watch(site.id(run)) ?? {}, { lookedMs: -60_001 });
  expect(await ask(n, n)).toMatchObject({ isWhole: false, isRunWhole: true, parts: { run: {} } });
  for (const other of [1, n * 2])
    expect(await ask(other, other)).toMatchObject({ isWhole: true, isRunWhole: true, parts: { run: {} } });
});

test('a part that is gone is told', () => {
  const parts = new Parts();
  parts.setAll(new Map([['task/1', 1]]));
  const known = lastNumber();
  parts.setAll(new Map());
  expect(parts.since(known)).toEqual(['"task/1":null']);
});

test('a run can be looked at as it was', async () => {
  using site = makeSite();
  site.write(run, parked, 1_000);
  await site.watcher.refresh();
  const at = (facts: number) => encodeURIComponent(stampAll(parked, 1_000)[facts - 1]?.at ?? '');
  const taskAt = async (facts: number): Promise<string | undefined> => {
    const parts = await site.get<Record<string, { standing?: string }>>(
      `/api/runs/${site.id(run)}/parts?until=${at(facts)}`,
    );
    return parts['task/2']?.standing;
  };
  expect(await taskAt(parked.length)).toBe('parked');
  expect(await taskAt(4)).not.toBe('parked');
  expect(await taskAt(0)).toBeUndefined();
});

test('a journal that was cut by the next start after a crash is read anew', async () => {
  using site = makeSite();
  site.write(run, parked.slice(0, 4));
  site.append(run, '{"v":10,"at":"2026-11-21T22:31:00.000Z","type":"task-par');
  await site.watcher.refresh();
  const watched = site.watcher.watch(site.id(run));
  site.write(run, [...parked.slice(0, 4), setAside('parked')]);
  watched?.look(true, Number.MAX_SAFE_INTEGER);
  expect(watched?.journal.damage).toBeUndefined();
  expect(watched?.journal.state?.tasks.get('2')?.standing.is).toBe('parked');
});

test('evidence: attempts with their checks, and the output of one', async () => {
  using site = makeSite();
  site.write(run, parked);
  site.file(run, 'checks/004-plan-1.log', 'red\n');
  await site.watcher.refresh();
  const about = `/api/runs/${site.id(run)}`;
  const evidence = await site.get<WorkEvidence>(`${about}/tasks/2`);
  expect(evidence.attempts).toMatchObject([
    { steps: [{ session: 3 }, { title: 'npm test', sign: '✗', note: expect.stringContaining('exit 1') }] },
  ]);
  const log = () => site.get(`${about}/log?file=checks/004-plan-1.log`);
  expect(await log()).toEqual({ text: 'red\n' });
  site.file(run, 'checks/004-plan-1.log', `${'x'.repeat(512 * 1024)}red\n`);
  expect(await log()).toEqual({ text: expect.stringMatching(/^… 4 bytes before\nx+red\n$/) });
});

test('a command to a run that stands still is journaled as an intervention by web', async () => {
  using site = makeSite();
  site.write(run, parked);
  const answer = await site.post(run, { do: 'answer', task: '2', answer: 'the accounts' });
  expect(await answer.json()).toEqual({
    ok: true,
    text: expect.stringContaining('Task 2 gets the answer'),
  });
  expect(readJournal(site.folder(run)).slice(-1)).toMatchObject([
    { type: 'intervention', kind: 'answer', by: 'web', task: '2', said: 'the accounts' },
  ]);
});

test('what does not apply is refused in words, and changes nothing', async () => {
  using site = makeSite();
  site.write(run, parked);
  const before = readJournal(site.folder(run)).length;
  const answer = await site.post(run, { do: 'pause', now: false });
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ error: expect.stringContaining('no pawl works on') });
  expect(readJournal(site.folder(run))).toHaveLength(before);
});

test('a repository that cannot be read keeps the others from nothing', async () => {
  using site = makeSite();
  site.write(run, parked);
  const broken = path.join(site.context.cwd, 'broken');
  mkdirSync(path.join(broken, '.git', 'pawl'), { recursive: true });
  writeFileSync(path.join(broken, '.git', 'pawl', 'runs'), 'no folder');
  const place = findPlaceAt(realpathSync(broken));
  if (place) rememberRepository(site.context.folders, place);
  await site.watcher.refresh();
  expect(site.watcher.runs.map(({ found }) => found.run)).toEqual([run]);
});

test('a marker that counts is told apart from what is said, and secrets are masked', async () => {
  using site = makeSite({ NPM_TOKEN: 'npm_supersecret' });
  site.write(run, parked);
  const said = (text: string) =>
    `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } })}\n`;
  await site.watcher.refresh();
  const [started] = site.watcher.watch(site.id(run))?.journal.state?.sessions.values() ?? [];
  const raw = rawFile({ folder: site.folder(run) } as RunFolder, started?.started.session ?? 0);
  writeFileSync(
    raw,
    said('It is done, npm_supersecret.\n\n<<<PAWL:TASK_DONE 1a2b>>> Wrote it') +
      said('Write <<<PAWL:TASK_DONE>>> at the end.'),
  );
  const items = await site.get<ActivityItem[]>(
    `/api/runs/${site.id(run)}/sessions/${started?.started.session}`,
  );
  expect(items.map(({ text }) => text)).toEqual([
    ...['It is done, [NPM_TOKEN].', 'task done: Wrote it', 'Write <<<PAWL:TASK_DONE>>> at the end.'],
  ]);
});
