// Messages of whole runs, to servers on loopback: a question that is answered by the command in its message, and an
// address that is none.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { done, letterPlan, onTask, write } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { expectExit, tell } from '../helpers/pawl.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { readRun } from '../helpers/story.ts';

const asks = onTask('a', [{ say: 'Which?\n\n{{marker NEEDS_INPUT which colour?}}' }], true);
const answered = { when: 'The answer: blue', steps: [write('a'), done] };

test('a question is one message, and the command in it answers it', async () => {
  await using receiver = await startReceiver();
  await using scene = await makeNight({
    plan: letterPlan('a'),
    turns: [answered, asks],
    env: { PAWL_NOTIFY: `json://me:verysecretword@${receiver.host}/hook, command: cat > "$HOME/event.json"` },
  });
  const ended = await expectExit(3, scene.run());
  expect(receiver.received).toHaveLength(1);
  const message = JSON.parse(receiver.received[0]?.text ?? '') as Record<string, unknown>;
  expect(message).toMatchObject({
    title: 'pawl: Task 1 asks you (+1)',
    message: expect.stringContaining('which colour?\n→ pawl answer 1 "…"'),
    type: 'warning',
    pawl: { occasion: 'needs-input', task: '1', command: 'pawl answer 1 "…"' },
  });
  const script = JSON.parse(await readFile(path.join(scene.home, 'event.json'), 'utf8'));
  expect(script).toMatchObject({ plan_file: 'docs/plans/plan.md', branch: 'plan', title: message['title'] });

  const { command } = message['pawl'] as { command: string };
  const [, ...words] = command.replace('"…"', 'blue').split(' ');
  expect((await scene.pawl(...words)).exit).toBe(0);
  const again = await expectExit(0, scene.run());
  expect(receiver.received).toHaveLength(2);
  expect(receiver.received[1]?.text).toContain('pawl: Finished');
  const seen = `${tell(ended)}${tell(again)}${await readRun(scene)}${await readRun(scene, 'journal.ndjson')}`;
  expect(seen).not.toContain('verysecretword');
});

test('an address that is none is refused before anything starts', async () => {
  const env = { PAWL_NOTIFY: 'slak://A/B/verysecretword' };
  await using scene = await makeNight({ plan: letterPlan('a'), env });
  const ended = await expectExit(2, scene.run());
  expect(ended.stderr).toMatch(
    /PAWL_NOTIFY: notify\.urls, entry 1: there is no service slak:\/\/: addresses begin with/,
  );
  expect(tell(ended)).not.toContain('verysecretword');
  expect(ended.events).toEqual([]);
});
