// A journal that a crash, a power cut or a person has damaged: a torn end is dropped and the run goes on, anything else is
// named by file and line, nothing is begun again without a word, and `--fresh` goes on with what is left to do.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { honest, lettersDone } from '../helpers/letters.ts';
import { killAt, makeNight, type Night, resultOf } from '../helpers/night.ts';
import { factsOf, tell } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';
import { runFolder } from '../helpers/story.ts';

/** A run whose first task is closed, killed before its second begins. */
async function makeKilled(): Promise<Night & { journal: string }> {
  const scene = await makeNight({ turns: honest('a', 'b'), env: killAt('journal task-started#2') });
  const killed = await scene.run();
  expect(killed.signal, tell(killed)).toBe('SIGKILL');
  return { ...scene, journal: path.join(await runFolder(scene), 'journal.ndjson') };
}

describe.concurrent('a torn end', () => {
  test.each([
    ['a tail of NULs, as after a power cut', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(4096)])],
  ])('%s: dropped, and the run goes on with its second task', async (_name, harm) => {
    await using scene = await makeKilled();
    await writeFile(scene.journal, harm(await readFile(scene.journal)));
    const again = await scene.again();
    expect(again.exit, tell(again)).toBe(0);
    expect(factsOf(again, 'session-started').map(({ task }) => task)).toEqual(['2']);
    expect(await resultOf(scene)).toMatchObject(lettersDone);
    const lines = (await readFile(scene.journal, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).type).at(-1)).toBe('run-ended');
  });
});

describe.concurrent('damage', () => {
  test.each(
    share(
      [
        ['a line in the middle', 3, () => '{"v":1,"at":"20\0\0\0'],
        ['a first line of a later version', 1, (line: string) => line.replace('"v":1', '"v":2')],
      ],
      2,
    ),
  )('%s: exit 8 names file and line, and --fresh does what is left', async (name, at, harm) => {
    await using scene = await makeKilled();
    const lines = (await readFile(scene.journal, 'utf8')).split('\n');
    const damaged = lines.map((line, index) => (index === at - 1 ? harm(line) : line)).join('\n');
    await writeFile(scene.journal, damaged);
    const refused = await scene.again();
    expect(refused.exit, tell(refused)).toBe(8);
    expect(refused.stderr).toContain(`${scene.journal}:${at} `);
    expect(refused.stderr).toMatch(name.includes('later') ? /later version of pawl/ : /not a line/);
    expect(refused.stderr).toContain('--fresh');
    expect(refused.events).toEqual([]);
    const fresh = await scene.again('--fresh');
    expect(fresh.exit, tell(fresh)).toBe(0);
    expect(factsOf(fresh, 'session-started').map(({ task }) => task)).toEqual(['2']);
    expect(await resultOf(scene)).toMatchObject(lettersDone);
    // Nobody's to remove, and in nobody's way.
    expect(await readFile(scene.journal, 'utf8')).toBe(damaged);
    expect((await scene.again()).stdout).toContain('"exit":0');
  });

  test.each([['of NULs alone', '\0'.repeat(512)]])(
    'a journal that is %s never began: the start is a new one',
    async (_name, text) => {
      await using scene = await makeNight({ turns: honest('a', 'b'), env: killAt('journal run-started#1') });
      const killed = await scene.run();
      expect(killed.signal, tell(killed)).toBe('SIGKILL');
      await writeFile(path.join(await runFolder(scene), 'journal.ndjson'), text);
      const again = await scene.again();
      expect(again.exit, tell(again)).toBe(0);
      expect(await resultOf(scene)).toMatchObject(lettersDone);
    },
  );
});
