// A context that runs full in the middle of a task: the CLI sums its conversation up and works on, and where that does not
// help a fresh session takes the work over. It never goes on for ever.
import { expect } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { done, honest, onTask, write } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, storyOf } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const half: Step = { bash: 'echo half > half.txt' };
const message = 'prompt is too long: 250000 tokens > 200000 maximum';
const tooLong: Step = { api: { status: 400, message } };
/** Answers what Claude Code 2.1.330 asks for when the API says so. */
const sumUp: Turn = { when: 'Respond with TEXT ONLY', steps: [{ say: 'Half is written, a is missing.' }] };

inSoak(
  'the CLI sums up and works on: the same session; a session whose context stays full is ended as unfinished, and a fresh one goes on with its work',
  async () => {
    await using scene = await makeNight({
      cast: 'claude',
      turns: [
        sumUp,
        onTask('a', [half, { api: { status: 400, message, times: 1 } }, write('a'), done]),
        onTask('b', [{ bash: 'echo more > more.txt' }, tooLong], true),
        ...honest('b'),
      ],
    });
    const ended = await expectExit(0, scene.run());
    // The summary does not know the marker any more: the checks decide, and nothing is counted.
    const [summedUp, fresh] = [
      ['silent', '1 proven'],
      ['done', '2 proven'],
    ];
    expect(storyOf(ended)).toEqual([...summedUp, 'unfinished', '2 again counts', ...fresh]);
    expect(await readRun(scene, 'sessions/001.ndjson')).toContain('"subtype":"compact_boundary"');
    expect(factsOf(ended, 'session-ended')[1]?.reason).toMatch(/too long|autocompact/i);
    const continued = factsOf(ended, 'session-started').map(({ continues }) => continues);
    expect(continued).toEqual([undefined, undefined, undefined]);
    expect(await readRun(scene, 'sessions/003.prompt.md')).toMatch(
      /did not finish it(.|\n)*still in the tree/,
    );
    expect(await scene.repo.git('ls-files', 'half.txt', 'more.txt')).toBe('half.txt\nmore.txt');
    await expectNoProcess(scene);
  },
);
