// A journal that a crash, a power cut or a person has damaged: a torn end is dropped and the run goes on, anything else is
// named by file and line, nothing is begun again without a word, and `--fresh` goes on with what is left to do.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { honest, letterPlan, lettersDone } from '../helpers/letters.ts';
import { killAt, makeNight, type Night, resultOf } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { runFolder } from '../helpers/story.ts';

test('a tail of NULs, as after a power cut, is dropped and the run goes on; a line that is broken ends with exit 8 that names file and line, and --fresh does what is left', async () => {
  const turns = honest('a', 'b', 'c');
  const env = killAt('journal task-started#2');
  await using scene = await makeNight({ plan: letterPlan('a', 'b', 'c'), turns, env });
  const tasksOf = (ended: Ended) => factsOf(ended, 'session-started').map(({ task }) => task);
  await expectExit('SIGKILL', scene.run());
  const journal = path.join(await runFolder(scene), 'journal.ndjson');
  await appendFile(journal, Buffer.alloc(4096));
  const again = await expectExit(0, scene.again('--max-tasks', '1'));
  expect(tasksOf(again)).toEqual(['2']);
  const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).type).at(-1)).toBe('run-ended');

  const damaged = `${lines.with(2, '{"v":10,"at":"20\0\0\0').join('\n')}\n`;
  await writeFile(journal, damaged);
  await expectNamed(scene, `${journal}:3 `, /not a line/);
  const fresh = await expectExit(0, scene.again('--fresh'));
  expect(tasksOf(fresh)).toEqual(['3']);
  const { log, boxes, status } = await resultOf(scene);
  expect(log).toEqual(['Write c', 'Write b', 'Write a', 'start']);
  expect([boxes, status]).toEqual([['- [x]', '- [x]', '- [x]'], '']);
  // Nobody's to remove, and in nobody's way.
  expect(await readFile(journal, 'utf8')).toBe(damaged);
  expect((await scene.again()).stdout).toContain('"exit":0');
});

async function expectNamed(scene: Night, place: string, why: RegExp): Promise<void> {
  const refused = await expectExit(8, scene.again());
  expect(refused.stderr).toContain(place);
  expect(refused.stderr).toMatch(why);
  expect(refused.stderr).toContain('--fresh');
  expect(refused.events).toEqual([]);
}

inSoak('a first line of a later version of pawl is named as that', async () => {
  await using scene = await makeNight();
  await scene.run('--max-tasks', '1');
  const journal = path.join(await runFolder(scene), 'journal.ndjson');
  await writeFile(journal, (await readFile(journal, 'utf8')).replace('"v":10', '"v":11'));
  await expectNamed(scene, `${journal}:1 `, /later version of pawl/);
});

inSoak('a journal that is of NULs alone never began: the start is a new one', async () => {
  await using scene = await makeNight({ env: killAt('journal run-started#1') });
  await expectExit('SIGKILL', scene.run());
  await writeFile(path.join(await runFolder(scene), 'journal.ndjson'), '\0'.repeat(512));
  await expectExit(0, scene.again());
  expect(await resultOf(scene)).toMatchObject(lettersDone);
});
