// A script as a reviewer: what it is given, and what of its output counts. Only one that ended well and said something in
// an agreed form has answered.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { scriptAgent } from '../../../src/agent/script/adapter.ts';
import { readOpinion } from '../../../src/finding/opinion.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';
import { startSession, type TestPlan } from '../session/session-setup.ts';

/** The script's turn, and what is read of it. */
async function review(script: string, plan: Partial<TestPlan> = {}) {
  const agent = scriptAgent({ command: 'sh', args: ['-c', script, 'sh'], reportsCost: false });
  const request = { readOnly: true, ...plan.request };
  await using test = await startSession({ agent, prompt: 'Review it.', ...plan, request });
  const turn = await test.session.firstTurn();
  await test.session.close();
  return { turn, reading: readOpinion(turn, { lines: agent.can.plainAnswer }) };
}

const one = { value: { findings: [expect.objectContaining({ file: 'src/a.ts', line: 3 })] } };
const none = { value: { findings: [] } };
const problem = { problem: expect.any(String) };

describe('an answer', () => {
  test.each<[string, string, string, object]>([
    ['lines', 'echo Reviewing; echo "src/a.ts:3 - never ends"', 'silent', one],
    ['whatever it says on stderr', 'echo "src/b.ts:1 - noise" >&2; echo "NO ISSUES FOUND"', 'silent', none],
    ['none: nothing at all', 'true', 'crashed', problem],
    ['none: nothing found, then a failure', 'echo "NO ISSUES FOUND"; exit 3', 'crashed', problem],
    ['none: a program that is not there', 'exec /no/such/program', 'refused', problem],
    ['none: praise', 'echo "Looks good to me."', 'silent', problem],
  ])('%s', async (_, script, kind, wanted) => {
    const { turn, reading } = await review(`cat >/dev/null; ${script}`);
    expect(turn.outcome.kind).toBe(kind);
    expect(reading).toEqual(wanted);
  });
});

it('gets the prompt on stdin and as the file $1, in the folder it reviews', async () => {
  using folder = makeTempFolder();
  const promptFile = path.join(folder.path, '001.prompt.md');
  writeFileSync(promptFile, 'Review it.');
  const { reading } = await review(
    `read -r said; [ "$said" = "Review it." ] && [ "$(cat "$1")" = "Review it." ] && [ $# = 1 ] &&
     echo "$(pwd -P)/x:1 - here"`,
    { cwd: folder.path, request: { promptFile } },
  );
  expect(reading).toMatchObject({ value: { findings: [{ file: path.join(folder.path, 'x') }] } });
});
