// Output of the scripted agent that is about bytes.
import { expect, test } from 'vitest';
import { isResult, playing } from './start-agent.ts';

test('raw lines are written as they are, in parts', async () => {
  await using story = await playing(
    { raw: ['{"type":"sys', 'tem","subtype":"x"}'] },
    { raw: '{"broken":' },
    { raw: 'n={{nonce}}' },
  );
  story.talk.say('<<<PAWL:X 0a0b>>>');
  await story.talk.until(isResult);
  expect(story.talk.events.slice(2, 5)).toEqual([
    { type: 'system', subtype: 'x' },
    { noise: '{"broken":' },
    { noise: 'n=0a0b' },
  ]);
});

test('floods and long lines have the sizes they were asked for', async () => {
  await using story = await playing({ flood: { events: 5000, bytes: 300 } }, { line: { bytes: 3_000_000 } });
  story.talk.say('go');
  await story.talk.until(isResult);
  const sizes = story.talk.events.map((event) => JSON.stringify(event).length + 1);
  expect(sizes.filter((size) => size === 300)).toHaveLength(5000);
  expect(sizes.filter((size) => size === 3_000_000)).toHaveLength(1);
});
