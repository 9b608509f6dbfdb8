// What `pawl plan` is asked for, from wherever it comes, and who is asked back; bad input is refused before anything starts.
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { refuseNobody } from '../../../src/start/dialogue/person.ts';
import { prepareDialogue, readRequest } from '../../../src/start/dialogue/prepare.ts';
import { makeWorld } from '../../cli/world.ts';
import { writeRun } from '../../helpers/write-run.ts';

const world = makeWorld();
afterAll(() => world[Symbol.dispose]());
world.write('notes.md', '\ufeff# Notes\r\n\n');
world.write('empty.md', ' \n');
const issue = { title: 'Cache', body: 'slow\r\nvery', url: 'https://x/12' };
world.program('gh', `cat <<'END'\n${JSON.stringify(issue)}\nEND`);

test.each([
  [['add', 'a cache'], {}, 'add a cache\n', 'the command line'],
  [[], { from: 'notes.md' }, '# Notes\n', 'notes.md'],
  [['-'], {}, 'from a pipe\n', 'stdin'],
  [[], { from: '-' }, 'from a pipe\n', 'stdin'],
  [[], { issue: 12 }, '# Cache\n\nslow\nvery\n\n(https://x/12)\n', 'issue 12'],
])('%j %j', async (words, options, text, from) => {
  const context = world.context({ stdin: Readable.from([Buffer.from('from a pipe')]) });
  expect(await readRequest(context, words, options)).toEqual({ text, from });
});

test.each([
  [[], {}, 'the request is missing: say what to plan'],
  [['a', 'b'], { from: 'notes.md' }, '“a b” and --from both give a request'],
  [[' '], {}, 'is empty'],
  [[], { from: 'empty.md' }, 'empty.md is empty'],
  [[], { from: 'none.md' }, 'none.md'],
])('refused: %j %j', async (words, options, why) => {
  const refusal = readRequest(world.context(), words, options);
  await expect(refusal).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(why) });
});

test('a terminal may answer, and a pipe; nobody, and a stdin that holds the request, may not', () => {
  const at = (more: object) => world.context({ stdin: Object.assign(Readable.from([]), more) });
  expect(() => refuseNobody(at({ isTTY: true }), false)).not.toThrow();
  expect(() => refuseNobody(at({}), false)).toThrow('nobody can answer questions');
  expect(() => refuseNobody(at({ isTTY: true }), true)).toThrow('nobody can answer questions');
});

test('of several dialogues the beginning of their ids resumes none', async () => {
  world.git('init', '-q');
  const planning = { from: 'stdin' };
  const [first, second] = ['a', 'b'].map((title) => writeRun(`${world.cwd}/.git`, { planning, title }).run);
  const resumed = prepareDialogue(world.context(), [first?.slice(0, 4) ?? ''], { resume: true });
  await expect(resumed).rejects.toMatchObject({
    message: 'several open dialogues begin with 1970',
    hint: expect.stringMatching(new RegExp(`(?=[^]*resume ${first} )[^]*resume ${second} `)),
  });
});
